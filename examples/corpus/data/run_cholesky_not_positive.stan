data {
  matrix[2, 2] S;
}
transformed data {
  matrix[2, 2] L = cholesky_decompose(S);
}
