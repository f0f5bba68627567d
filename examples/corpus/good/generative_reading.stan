// A model that can be read as a simulator, with covariates and autoregression.
data {
  int<lower=2> T;
  vector[T] x;
  vector[T] y;
  array[T] int<lower=0> k;
}
parameters {
  real alpha;
  real<lower=-1, upper=1> rho;
  real<lower=0> sigma;
}
model {
  alpha ~ normal(0, 1);
  sigma ~ cauchy(0, 1);
  y[1] ~ normal(alpha, sigma);
  for (t in 2 : T) {
    y[t] ~ normal(alpha + rho * y[t - 1] + x[t], sigma);
  }
  target += poisson_log_lpmf(k | alpha);
}
inference {
  diagnose sbc(nuts());
}
