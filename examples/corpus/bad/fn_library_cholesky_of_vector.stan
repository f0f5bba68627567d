data {
  vector[3] v;
}
transformed data {
  matrix[3, 3] L = cholesky_decompose(v); // ERROR
}
