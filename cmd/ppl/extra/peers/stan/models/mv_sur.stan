// N = 200; J = 3; K = 4
// x ~ normal(N, K); y ~ normal(N, J)
data { int N; int J; int K; array[N] vector[J] y; array[N] vector[K] x; }
parameters { matrix[J, K] beta; cholesky_factor_corr[J] L; vector<lower=0>[J] s; }
model {
  array[N] vector[J] mu;
  for (n in 1:N) mu[n] = beta * x[n];
  to_vector(beta) ~ normal(0, 5); L ~ lkj_corr_cholesky(4); s ~ cauchy(0, 2.5);
  y ~ multi_normal_cholesky(mu, diag_pre_multiply(s, L));
}
