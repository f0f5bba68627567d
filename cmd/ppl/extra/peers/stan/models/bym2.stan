// Counts of areas with spatial and independent effects (BYM2).
data {
  int<lower=1> N, E;
  array[E] int<lower=1, upper=N> node1, node2;
  array[N] int<lower=0> y;
  vector<lower=0>[N] expected;
  vector[N] x;
  real<lower=0> scaling;
}
transformed data {
  vector[N] log_expected = log(expected);
}
parameters {
  real beta0, beta1;
  real<lower=0> sigma;
  real<lower=0, upper=1> rho;
  vector[N] theta, phi;
}
transformed parameters {
  vector[N] convolved = sqrt(1 - rho) * theta + sqrt(rho / scaling) * phi;
}
model {
  y ~ poisson_log(log_expected + beta0 + x * beta1 + convolved * sigma);
  target += -0.5 * dot_self(phi[node1] - phi[node2]);
  sum(phi) ~ normal(0, 0.001 * N);
  beta0 ~ normal(0, 1);
  beta1 ~ normal(0, 1);
  theta ~ normal(0, 1);
  sigma ~ normal(0, 1);
  rho ~ beta(0.5, 0.5);
}
