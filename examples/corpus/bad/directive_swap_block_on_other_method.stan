parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  fit = nuts() { mu ~ normal(0, 2); } // ERROR
}
