transformed data {
  int largest = 2147483647;
  int n = largest + 1;
}
