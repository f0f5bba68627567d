// Loops over observations with scalars of their own.
data {
  int<lower=0> N;
  int<lower=0> J;
  array[N] int<lower=1, upper=J> g;
  vector[N] x;
  array[N] real y;
  array[N] int k;
  matrix[N, 3] Z;
}
parameters {
  vector[J] a;
  real b;
  vector[3] beta;
  real<lower=0> sigma;
}
transformed parameters {
  vector[N] mu;
  for (n in 1:N) {
    mu[n] = a[g[n]] + b * x[n];
  }
}
model {
  for (j in 1:J)
    a[j] ~ normal(0, 1);
  for (n in 1:N) {
    real eta = mu[n] + Z[n] * beta;
    y[n] ~ normal(eta, sigma);
    target += poisson_log_lpmf(k[n] | eta) + bernoulli_logit_lpmf(k[n] > 0 | eta);
  }
}
