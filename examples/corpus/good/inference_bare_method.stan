// A method without arguments needs no parentheses.
parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  a = nuts;
  b = hmc();
}
