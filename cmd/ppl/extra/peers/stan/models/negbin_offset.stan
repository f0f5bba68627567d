// Overdispersed counts with exposures and effects of buildings.
data {
  int<lower=1> N, D, J;
  array[N] int<lower=0> y;
  vector<lower=0>[N] exposure;
  matrix[N, D] X;
  array[N] int<lower=1, upper=J> building;
}
transformed data {
  vector[N] offset_ = log(exposure);
}
parameters {
  real alpha;
  vector[D] beta;
  vector[J] u;
  real<lower=0> sd_u, inv_phi;
}
model {
  alpha ~ normal(0, 2);
  beta ~ normal(0, 1);
  u ~ normal(0, sd_u);
  sd_u ~ normal(0, 1);
  inv_phi ~ normal(0, 1);
  y ~ neg_binomial_2_log(offset_ + alpha + X * beta + u[building], inv(inv_phi));
}
