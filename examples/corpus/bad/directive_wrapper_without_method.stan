parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  diagnose sbc(replications = 100); // ERROR
}
