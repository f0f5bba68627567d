parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  diagnose bread(nuts(), steps = [10, 0]); // ERROR
}
