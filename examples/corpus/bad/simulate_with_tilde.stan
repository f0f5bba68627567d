parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
simulate {
  mu ~ normal(0, 1); // ERROR
}
