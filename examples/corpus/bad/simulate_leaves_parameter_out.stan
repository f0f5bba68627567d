data {
  real y;
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
  y ~ normal(mu, 1);
}
simulate { // ERROR
  real nu = normal_rng(0, 1);
  y = normal_rng(nu, 1);
}
