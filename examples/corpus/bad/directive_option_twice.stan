parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  fit = nuts(draws = 10, draws = 20); // ERROR
}
