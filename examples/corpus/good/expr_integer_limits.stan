// Ints go from -2147483648 to 2147483647; reals go on.
transformed data {
  int largest = 2147483647;
  int smallest = -2147483647 - 1;
  int a = largest - 1 + 1;
  real over = largest + 1.0;
  real product = 1.0 * largest * largest;
  if (a != largest || over != 2147483648.0 || smallest != -2147483648.0 || product < 4e18) {
    reject("limits");
  }
  if (smallest >= 0) {
    reject("limits");
  }
}
