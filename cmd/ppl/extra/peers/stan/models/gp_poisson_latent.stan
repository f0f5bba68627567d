// N = 60
// x ~ grid(N; -5, 5); y ~ poisson(N; 4)
data { int N; array[N] real x; array[N] int y; }
parameters { real<lower=0> rho; real<lower=0> alpha; real a; vector[N] eta; }
model {
  vector[N] f;
  {
    matrix[N, N] K = gp_exp_quad_cov(x, alpha, rho) + diag_matrix(rep_vector(1e-8, N));
    matrix[N, N] LK = cholesky_decompose(K);
    f = LK * eta;
  }
  rho ~ inv_gamma(5, 5); alpha ~ std_normal(); a ~ std_normal(); eta ~ std_normal();
  y ~ poisson_log(a + f);
}
