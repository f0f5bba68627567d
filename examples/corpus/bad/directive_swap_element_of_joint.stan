parameters {
  vector[3] beta;
}
model {
  beta ~ multi_normal(zeros_vector(3), identity_matrix(3));
}
inference {
  other = prior_swap(nuts()) {
    beta[2] ~ normal(0, 2); // ERROR
  }
}
