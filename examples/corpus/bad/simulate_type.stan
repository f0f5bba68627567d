parameters {
  vector[2] mu;
}
model {
  mu ~ normal(0, 1);
}
simulate {
  mu = normal_rng(0, 1); // ERROR
}
