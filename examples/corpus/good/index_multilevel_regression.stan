// Lists of indices as in multilevel models.
data {
  int<lower=0> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> group;
  vector[N] x;
  vector[N] y;
}
parameters {
  matrix[J, 2] beta;
  real<lower=0> sigma;
}
model {
  to_vector(beta) ~ normal(0, 1);
  sigma ~ exponential(1);
  y ~ normal(beta[group, 1] + beta[group, 2] .* x, sigma);
}
