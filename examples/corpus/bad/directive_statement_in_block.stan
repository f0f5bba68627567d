parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  real x = 3; // ERROR
}
