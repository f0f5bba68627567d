// A Gaussian process on a grid: a Kronecker product of two covariances.
data {
  int<lower=1> n1, n2;
  array[n1] real x1;
  array[n2] real x2;
  matrix[n2, n1] y;
}
parameters {
  real<lower=0> rho1, rho2, alpha, sigma;
  matrix[n2, n1] z;
}
model {
  matrix[n1, n1] L1 = cholesky_decompose(add_diag(gp_exp_quad_cov(x1, 1.0, rho1), 1e-6));
  matrix[n2, n2] L2 = cholesky_decompose(add_diag(gp_exp_quad_cov(x2, alpha, rho2), 1e-6));
  rho1 ~ inv_gamma(5, 5);
  rho2 ~ inv_gamma(5, 5);
  alpha ~ normal(0, 1);
  sigma ~ normal(0, 1);
  to_vector(z) ~ std_normal();
  to_vector(y) ~ normal(to_vector(L2 * z * L1'), sigma);
}
