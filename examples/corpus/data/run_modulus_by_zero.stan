data {
  int n;
}
transformed data {
  int k = 10 % n;
}
