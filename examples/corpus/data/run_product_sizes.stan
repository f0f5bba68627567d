data {
  int n;
}
transformed data {
  matrix[2, n] A = rep_matrix(1, 2, n);
  vector[3] v = [1, 2, 3]';
  vector[2] w = A * v;
}
