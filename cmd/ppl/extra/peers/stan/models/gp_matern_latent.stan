// N = 80
// x ~ grid(N; -2, 2); y ~ poisson(N; 5)
data { int N; array[N] real x; array[N] int y; }
parameters { real<lower=0> rho; real<lower=0> alpha; real a; vector[N] eta; }
model {
  matrix[N, N] L = cholesky_decompose(add_diag(gp_matern32_cov(x, alpha, rho), 1e-8));
  rho ~ inv_gamma(5, 5); alpha ~ std_normal(); a ~ std_normal(); eta ~ std_normal();
  y ~ poisson_log(a + L * eta);
}
