// Vectors and matrices whose elements add up to zero (matrices: in each row
// and in each column).
data {
  int<lower=2> K;
}
parameters {
  sum_to_zero_vector[K] a;
  sum_to_zero_matrix[K, 3] b;
  array[2] sum_to_zero_vector[4] c;
}
model {
  a ~ normal(0, 1);
  to_vector(b) ~ normal(0, 1);
  c[1] ~ normal(0, 1);
  c[2] ~ normal(0, 1);
}
