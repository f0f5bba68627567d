parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
simulate {
  mu = normal_rng(0, 1);
  target += mu; // ERROR
}
