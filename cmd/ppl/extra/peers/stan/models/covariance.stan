// Means and covariances of vectors of ten numbers.
data {
  int<lower=1> N, D;
  array[N] vector[D] y;
}
parameters {
  vector[D] mu;
  cholesky_factor_corr[D] L;
  vector<lower=0>[D] tau;
}
model {
  mu ~ normal(0, 5);
  tau ~ student_t(3, 0, 2.5);
  L ~ lkj_corr_cholesky(2);
  y ~ multi_normal_cholesky(mu, diag_pre_multiply(tau, L));
}
