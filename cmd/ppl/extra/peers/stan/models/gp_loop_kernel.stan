// N = 40
// x ~ grid(N; -2, 2); y ~ normal(N)
data { int N; array[N] real x; vector[N] y; }
parameters { real<lower=0> rho; real<lower=0> alpha; real<lower=0> sigma; }
model {
  matrix[N, N] K;
  for (i in 1:(N - 1)) {
    K[i, i] = alpha ^ 2 + sigma ^ 2 + 1e-6;
    for (j in (i + 1):N) { K[i, j] = alpha ^ 2 * exp(-0.5 * ((x[i] - x[j]) / rho) ^ 2); K[j, i] = K[i, j]; }
  }
  K[N, N] = alpha ^ 2 + sigma ^ 2 + 1e-6;
  rho ~ inv_gamma(5, 5); alpha ~ normal(0, 1); sigma ~ normal(0, 1);
  y ~ multi_normal_cholesky(rep_vector(0, N), cholesky_decompose(K));
}
