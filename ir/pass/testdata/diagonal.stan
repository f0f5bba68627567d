data {
  int<lower=0> N;
  array[N] real x;
  vector[N] y;
}
parameters {
  real<lower=0> rho;
  real<lower=0> alpha;
  real<lower=0> sigma;
}
model {
  matrix[N, N] K = gp_exp_quad_cov(x, alpha, rho);
  for (n in 1 : N) {
    K[n, n] = K[n, n] + square(sigma);
  }
  for (n in 1 : N) K[n, n] += 1e-9 * n; // differs from round to round
  y ~ multi_normal(rep_vector(0, N), K);
}
