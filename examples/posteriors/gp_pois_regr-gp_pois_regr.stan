// Poisson counts with a Gaussian process as their log rate.
data {
  int<lower=1> N;
  array[N] real x;
  vector[N] y; // a noisy view of the log rate; not used
  array[N] int<lower=0> k;
}
parameters {
  real<lower=0> rho;
  real<lower=0> alpha;
  vector[N] f_tilde;
}
transformed parameters {
  vector[N] f;
  {
    matrix[N, N] K = add_diag(gp_exp_quad_cov(x, alpha, rho), 1e-10);
    f = cholesky_decompose(K) * f_tilde;
  }
}
model {
  rho ~ gamma(25, 4);
  alpha ~ normal(0, 2);
  f_tilde ~ normal(0, 1);
  k ~ poisson_log(f);
}
