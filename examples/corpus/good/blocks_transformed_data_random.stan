// Transformed data may use random number generators.
transformed data {
  int N = 20;
  array[N] real y = normal_rng(rep_array(0.0, N), 1);
  int heads = binomial_rng(10, 0.5);
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, 10);
  y ~ normal(mu, 1);
}
