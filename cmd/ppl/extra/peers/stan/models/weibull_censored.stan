// Survival times with censoring, one by one, with frailties of hospitals.
data {
  int<lower=1> N, D, J;
  vector<lower=0>[N] t;
  array[N] int<lower=0, upper=1> event;
  array[N] int<lower=1, upper=J> hospital;
  matrix[N, D] X;
}
parameters {
  real mu;
  vector[D] beta;
  real<lower=0> shape, sd_frailty;
  vector[J] frailty;
}
model {
  mu ~ normal(0, 10);
  beta ~ normal(0, 1);
  shape ~ exponential(1);
  sd_frailty ~ normal(0, 1);
  frailty ~ normal(0, sd_frailty);
  for (n in 1:N) {
    real scale = exp(-(mu + X[n] * beta + frailty[hospital[n]]) / shape);
    if (event[n] == 1) target += weibull_lpdf(t[n] | shape, scale);
    else target += weibull_lccdf(t[n] | shape, scale);
  }
}
