// A network with one hidden layer for images of ten classes.
data {
  int<lower=1> N, D, H, K;
  matrix[N, D] x;
  array[N] int<lower=1, upper=K> y;
}
parameters {
  matrix[D, H] alpha;
  matrix[H, K - 1] beta;
  row_vector[H] bias1;
  row_vector[K - 1] bias2;
  real<lower=0> sd1, sd2;
}
model {
  matrix[N, H] hidden = tanh(rep_matrix(bias1, N) + x * alpha);
  matrix[N, K] v = append_col(rep_vector(0, N), rep_matrix(bias2, N) + hidden * beta);
  sd1 ~ inv_gamma(2, 1);
  sd2 ~ inv_gamma(2, 1);
  to_vector(alpha) ~ normal(0, sd1);
  to_vector(beta) ~ normal(0, sd2);
  bias1 ~ normal(0, 1);
  bias2 ~ normal(0, 1);
  for (n in 1:N) y[n] ~ categorical_logit(v[n]');
}
