// N = 60; T = 8; J = 4; K = 5
// X ~ normal(N, T, J, K); y ~ levels(N, T; 4)
data { int N; int T; int J; int K; array[N, T] matrix[J, K] X; array[N, T] int<lower=1, upper=J> y; }
parameters { vector[K] mu; vector<lower=0>[K] tau; cholesky_factor_corr[K] L; matrix[K, N] z; }
model {
  matrix[K, N] beta = rep_matrix(mu, N) + diag_pre_multiply(tau, L) * z;
  mu ~ normal(0, 2); tau ~ normal(0, 1); L ~ lkj_corr_cholesky(2); to_vector(z) ~ std_normal();
  for (n in 1:N)
    for (t in 1:T)
      y[n, t] ~ categorical_logit(X[n, t] * beta[, n]);
}
