// A variable may be named like a function of the library.
data {
  int N;
  vector[N] y;
}
parameters {
  real beta;
  real<lower=0> gamma;
  real mean;
}
model {
  beta ~ normal(0, 1);
  gamma ~ gamma(2, 2);
  mean ~ cauchy(0, 1);
  y ~ normal(mean + beta, gamma);
}
