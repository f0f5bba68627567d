parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  diagnose bread(nuts(), steps = "ten"); // ERROR
}
