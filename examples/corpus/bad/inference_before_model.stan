parameters {
  real mu;
}
inference {
  a = nuts();
}
model { // ERROR
  mu ~ normal(0, 1);
}
