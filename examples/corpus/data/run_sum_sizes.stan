data {
  int n;
}
transformed data {
  vector[3] v = [1, 2, 3]';
  vector[3] w = v + rep_vector(1, n);
}
