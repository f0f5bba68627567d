// N = 1500; J = 60; K = 3
// x ~ normal(N, K); g ~ levels(N; J); y ~ bernoulli(N; 0.5)
data { int N; int J; int K; array[N] row_vector[K] x; array[N] int g; array[N] int<lower=0, upper=1> y; }
parameters { array[J] vector[K] beta; vector[K] mu; cholesky_factor_corr[K] L; vector<lower=0>[K] tau; }
model {
  mu ~ normal(0, 2); tau ~ cauchy(0, 2.5); L ~ lkj_corr_cholesky(2);
  beta ~ multi_normal_cholesky(mu, diag_pre_multiply(tau, L));
  for (n in 1:N) y[n] ~ bernoulli_logit(x[n] * beta[g[n]]);
}
