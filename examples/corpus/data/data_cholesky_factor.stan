data {
  cholesky_factor_cov[2] L;
}
