// Eight schools, with the school effects drawn from their population directly:
// a funnel in (tau, theta) that gradient methods find hard.
data {
  int<lower=0> J;
  array[J] real y;
  array[J] real<lower=0> sigma;
}
parameters {
  array[J] real theta;
  real mu;
  real<lower=0> tau;
}
model {
  tau ~ cauchy(0, 5);
  mu ~ normal(0, 5);
  theta ~ normal(mu, tau);
  y ~ normal(theta, sigma);
}
