// A bounded integer parameter: gradient methods sum it out.
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  int<lower=0, upper=1> z;
  real mu;
}
model {
  z ~ bernoulli(0.3);
  mu ~ normal(0, 5);
  y ~ normal(z == 1 ? mu : 0, 1);
}
