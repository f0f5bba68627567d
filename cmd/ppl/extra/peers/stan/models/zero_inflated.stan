// Counts with more zeros than a Poisson distribution has.
data {
  int<lower=1> N, D;
  array[N] int<lower=0> y;
  matrix[N, D] X;
}
parameters {
  vector[D] beta, gamma;
}
model {
  vector[N] eta = X * beta;
  vector[N] zi = X * gamma;
  beta ~ normal(0, 1);
  gamma ~ normal(0, 1);
  for (n in 1:N) {
    if (y[n] == 0)
      target += log_sum_exp(bernoulli_logit_lpmf(1 | zi[n]), bernoulli_logit_lpmf(0 | zi[n]) + poisson_log_lpmf(0 | eta[n]));
    else
      target += bernoulli_logit_lpmf(0 | zi[n]) + poisson_log_lpmf(y[n] | eta[n]);
  }
}
