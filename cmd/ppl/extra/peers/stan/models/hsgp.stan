// A Gaussian process by basis functions of the Laplace operator.
functions {
  vector diag_spd_eq(real alpha, real rho, real L, int M) {
    return alpha * sqrt(sqrt(2 * pi()) * rho) * exp(-0.25 * (rho * pi() / 2 / L) ^ 2 * linspaced_vector(M, 1, M) ^ 2);
  }
  matrix phi(int N, int M, real L, vector x) {
    return sin(diag_post_multiply(rep_matrix(pi() / (2 * L) * (x + L), M), linspaced_vector(M, 1, M))) / sqrt(L);
  }
}
data {
  int<lower=1> N, M;
  vector[N] x, y;
  real<lower=0> L;
}
transformed data {
  matrix[N, M] PHI = phi(N, M, L, x);
}
parameters {
  real intercept;
  vector[M] beta, beta_g;
  real<lower=0> lengthscale_f, sigma_f, lengthscale_g, sigma_g;
}
model {
  vector[N] f = intercept + PHI * (diag_spd_eq(sigma_f, lengthscale_f, L, M) .* beta);
  vector[N] g = PHI * (diag_spd_eq(sigma_g, lengthscale_g, L, M) .* beta_g);
  intercept ~ normal(0, 1);
  beta ~ normal(0, 1);
  beta_g ~ normal(0, 1);
  lengthscale_f ~ lognormal(-1, 1);
  sigma_f ~ normal(0, 1);
  lengthscale_g ~ lognormal(-1, 1);
  sigma_g ~ normal(0, 1);
  y ~ normal(f, exp(g));
}
