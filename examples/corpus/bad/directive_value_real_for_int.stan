parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  fit = nuts(chains = 2.5); // ERROR
}
