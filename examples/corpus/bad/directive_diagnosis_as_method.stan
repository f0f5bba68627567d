parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  fit = sbc(nuts()); // ERROR
}
