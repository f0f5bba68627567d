// Bounds, offsets and sizes made from variables declared before, element by element.
data {
  int<lower=1> N;
  vector[N] low;
  int<lower=0, upper=2 * N> k;
}
transformed data {
  vector<lower=low>[N] above = low + 1;
  array[N + k] int<lower=0> counts = rep_array(1, N + k);
}
parameters {
  real mu;
  real<lower=0> tau;
  vector<lower=low, upper=low + 3>[N] x;
  vector<offset=mu, multiplier=tau>[N] z;
  real<lower=fmax(mu, 0)> m;
  real<offset=mu> o;
  vector<multiplier=above - low + tau>[N] w;
}
model {
  mu ~ normal(0, 1);
  tau ~ exponential(1);
  z ~ normal(mu, tau);
  m ~ exponential(1);
  o ~ normal(mu, 1);
  w ~ normal(0, 1);
}
