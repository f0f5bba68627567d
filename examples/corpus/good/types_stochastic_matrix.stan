// Matrices whose columns or rows are simplexes.
data {
  int<lower=1> K;
}
parameters {
  column_stochastic_matrix[K, 3] A;
  row_stochastic_matrix[K, K] P;
  array[2] row_stochastic_matrix[2, 3] Q;
}
model {
  for (k in 1 : K) {
    P[k]' ~ dirichlet(rep_vector(1.5, K));
  }
  A[ : , 1] ~ dirichlet(rep_vector(2, K));
}
