// Any expression may stand on the left of a distribution statement.
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real a;
  real<lower=0> b;
  simplex[3] p;
}
model {
  a + b ~ normal(0, 1);
  log(b) ~ normal(0, 1);
  target += -log(b);
  3 ~ normal(a, 1);
  y[1 : N] - a ~ normal(0, b);
  p[1 : 2] ~ beta(2, 2);
  {a, b} ~ normal(0, 1);
  [a, b] ~ normal(0, 1);
}
