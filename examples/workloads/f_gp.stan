// Workload F: a Gaussian process with an exponentiated quadratic kernel, the latent function
// integrated out (Stan User's Guide, section "Fitting a Gaussian process").
data {
  int<lower=1> N;
  array[N] real x;
  vector[N] y;
}
transformed data {
  vector[N] mu = rep_vector(0, N);
}
parameters {
  real<lower=0> rho;
  real<lower=0> alpha;
  real<lower=0> sigma;
}
model {
  matrix[N, N] K = gp_exp_quad_cov(x, alpha, rho);
  matrix[N, N] L;
  real sq_sigma = square(sigma);
  for (n in 1:N) {
    K[n, n] = K[n, n] + sq_sigma;
  }
  L = cholesky_decompose(K);
  rho ~ inv_gamma(5, 5);
  alpha ~ std_normal();
  sigma ~ std_normal();
  y ~ multi_normal_cholesky(mu, L);
}
