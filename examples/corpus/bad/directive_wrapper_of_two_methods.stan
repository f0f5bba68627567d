parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  diagnose sbc(nuts(), advi()); // ERROR
}
