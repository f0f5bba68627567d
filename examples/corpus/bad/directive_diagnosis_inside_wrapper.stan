parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  diagnose sbc(bread(nuts())); // ERROR
}
