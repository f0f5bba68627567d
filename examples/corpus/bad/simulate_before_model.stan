parameters {
  real mu;
}
simulate {
  mu = normal_rng(0, 1);
}
model { // ERROR
  mu ~ normal(0, 1);
}
