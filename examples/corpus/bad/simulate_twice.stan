parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
simulate {
  mu = normal_rng(0, 1);
}
simulate { // ERROR
  mu = normal_rng(0, 1);
}
