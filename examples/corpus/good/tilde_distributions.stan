// Distribution statements with scalars and containers on either side.
data {
  int<lower=0> N;
  vector[N] y;
  array[N] real z;
  array[N] int<lower=0> k;
}
parameters {
  real mu;
  vector[N] theta;
  array[N] real<lower=0> sigma;
  real<lower=0> lambda;
}
model {
  mu ~ normal(0, 10);
  theta ~ normal(mu, 1);
  sigma ~ lognormal(0, 1);
  lambda ~ gamma(2, 0.1);
  y ~ normal(theta, sigma);
  z ~ student_t(4, mu, sigma);
  k ~ poisson(lambda);
  for (n in 1 : N) {
    y[n] ~ cauchy(theta[n], sigma[n]);
  }
}
