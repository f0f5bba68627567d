// Bindings may be named like variables of the model.
parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  mu = nuts();
  diagnose sbc(mu);
}
