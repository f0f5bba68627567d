parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
inference {
  fit = nuts();
  other = prior_swap(fit) { } // ERROR
}
