parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  fit = nuts(metric = 3); // ERROR
}
