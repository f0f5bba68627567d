parameters {
  real x;
}
transformed parameters {
  real<lower=100> y = x;
}
model {
  x ~ normal(0, 1);
}
