// Lower triangular factors of correlation and covariance matrices.
data {
  int<lower=1> K;
}
parameters {
  cholesky_factor_corr[K] L_Omega;
  cholesky_factor_cov[K] L_Sigma;
  cholesky_factor_cov[K + 2, K] L_tall;
  array[2] cholesky_factor_corr[3] L_each;
  vector[K] x;
}
model {
  L_Omega ~ lkj_corr_cholesky(2);
  x ~ multi_normal_cholesky(rep_vector(0, K), L_Sigma);
  to_vector(L_Sigma) ~ normal(0, 1);
  to_vector(L_tall) ~ normal(0, 1);
}
