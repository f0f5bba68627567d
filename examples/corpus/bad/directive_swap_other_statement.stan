parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  other = prior_swap(nuts()) {
    target += -mu ^ 2; // ERROR
  }
}
