transformed data {
  int smallest = -2147483647 - 1;
  int n = -smallest;
}
