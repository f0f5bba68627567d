data {
  int<lower=0> N;
  vector[N] height;
}
parameters {
  real mu;
}
model {
  heigth ~ normal(mu, 1); // ERROR
}
