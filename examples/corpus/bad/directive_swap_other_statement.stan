parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  other = prior_swap(nuts()) {
    for (i in 1:2) mu ~ normal(0, 1); // ERROR
  }
}
