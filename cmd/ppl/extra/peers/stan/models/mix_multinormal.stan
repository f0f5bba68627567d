// N = 300; K = 3; D = 2
// y ~ normal(N, D)
data { int N; int K; int D; array[N] vector[D] y; }
parameters { simplex[K] theta; array[K] vector[D] mu; array[K] cholesky_factor_corr[D] L; array[K] vector<lower=0>[D] s; }
model {
  for (k in 1:K) { mu[k] ~ normal(0, 3); s[k] ~ normal(0, 2); L[k] ~ lkj_corr_cholesky(4); }
  for (n in 1:N) {
    vector[K] ps;
    for (k in 1:K) ps[k] = log(theta[k]) + multi_normal_cholesky_lpdf(y[n] | mu[k], diag_pre_multiply(s[k], L[k]));
    target += log_sum_exp(ps);
  }
}
