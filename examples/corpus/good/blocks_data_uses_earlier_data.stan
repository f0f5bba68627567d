// Sizes and bounds of data may use data that are declared before.
data {
  int<lower=1> K;
  int<lower=K> N;
  array[N] int<lower=1, upper=K> group;
  real low;
  vector<lower=low>[N + K] x;
}
parameters {
  vector<lower=low, upper=max(x)>[K] mu;
}
model {
  x[1 : N] ~ normal(mu[group], 1);
}
