transformed data {
  int zero = 0;
  int n = 5 % zero;
}
