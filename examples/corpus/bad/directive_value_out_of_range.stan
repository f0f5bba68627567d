parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  fit = nuts(delta = 1.5); // ERROR
}
