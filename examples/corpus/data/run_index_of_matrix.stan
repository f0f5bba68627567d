transformed data {
  matrix[2, 3] m = rep_matrix(1, 2, 3);
  real x = m[3, 1];
}
