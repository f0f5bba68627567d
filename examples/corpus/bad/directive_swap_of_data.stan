data {
  real y;
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
  y ~ normal(mu, 1);
}
inference {
  other = prior_swap(nuts()) {
    y ~ normal(0, 2); // ERROR
  }
}
