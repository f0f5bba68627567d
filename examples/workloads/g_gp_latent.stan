// Workload G: a Gaussian process with a latent function at each point and counts observed (Stan
// User's Guide, section "Discrete outcomes with Gaussian processes").
data {
  int<lower=1> N;
  array[N] real x;
  array[N] int<lower=0> y;
}
parameters {
  real<lower=0> rho;
  real<lower=0> alpha;
  real a;
  vector[N] eta;
}
model {
  vector[N] f;
  {
    matrix[N, N] K = gp_exp_quad_cov(x, alpha, rho);
    for (n in 1:N) {
      K[n, n] = K[n, n] + 1e-6;
    }
    f = cholesky_decompose(K) * eta;
  }
  rho ~ inv_gamma(5, 5);
  alpha ~ std_normal();
  a ~ std_normal();
  eta ~ std_normal();
  y ~ poisson_log(a + f);
}
