data {
  int n;
}
transformed data {
  vector[3] v = [1, 2, 3]';
  vector[n] w = v[2 : n + 1];
}
