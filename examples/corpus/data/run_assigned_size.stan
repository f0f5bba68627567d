data {
  int n;
}
transformed data {
  vector[n] v = [1, 2, 3]';
}
