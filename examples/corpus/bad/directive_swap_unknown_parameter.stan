parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  other = prior_swap(nuts()) {
    nu ~ normal(0, 2); // ERROR
  }
}
