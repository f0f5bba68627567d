// Partial likelihood of survival times, latest first.
data {
  int<lower=1> N, D;
  matrix[N, D] X;
  array[N] int<lower=0, upper=1> event;
}
parameters {
  vector[D] beta;
}
model {
  vector[N] eta = X * beta;
  real log_risk = negative_infinity();
  beta ~ normal(0, 1);
  for (n in 1:N) {
    log_risk = log_sum_exp(log_risk, eta[n]);
    if (event[n] == 1) target += eta[n] - log_risk;
  }
}
