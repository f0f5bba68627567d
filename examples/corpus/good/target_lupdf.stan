// Densities up to a constant, in the model block.
data {
  int<lower=0> N;
  array[N] int<lower=0> k;
}
parameters {
  real<lower=0> lambda;
}
model {
  target += gamma_lupdf(lambda | 2, 1);
  target += poisson_lupmf(k | lambda);
}
