parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  a = nuts();
}
inference { // ERROR
  b = nuts();
}
