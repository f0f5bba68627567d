data {
  int<lower=0> N;
  vector[M] y; // ERROR
}
parameters {
  real mu;
}
model {
  y ~ normal(mu, 1);
  target += sum(y[1 : 2]) + N;
}
