parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  other = prior_swap(nuts()) {
    mu ~ gaussian(0, 2); // ERROR
  }
}
