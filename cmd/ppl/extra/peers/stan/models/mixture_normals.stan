// A mixture of three bivariate normal distributions.
data {
  int<lower=1> N, D, K;
  array[N] vector[D] y;
}
parameters {
  simplex[K] theta;
  array[K] vector[D] mu;
  array[K] cholesky_factor_corr[D] L;
  array[K] vector<lower=0>[D] sigma;
}
model {
  array[K] real ps;
  for (k in 1:K) {
    mu[k] ~ normal(0, 3);
    L[k] ~ lkj_corr_cholesky(4);
    sigma[k] ~ normal(0, 2);
  }
  for (n in 1:N) {
    for (k in 1:K)
      ps[k] = log(theta[k]) + multi_normal_cholesky_lpdf(y[n] | mu[k], diag_pre_multiply(sigma[k], L[k]));
    target += log_sum_exp(ps);
  }
}
