data {
  cov_matrix[2] S;
}
