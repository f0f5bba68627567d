// Compositions with more spread than multinomial ones, the density written out.
functions {
  real dirichlet_multinomial_rows_lpmf(array[] int y, vector alpha) {
    real s = sum(alpha);
    return lgamma(s) - lgamma(sum(y) + s) + sum(lgamma(to_vector(y) + alpha)) - sum(lgamma(alpha));
  }
}
data {
  int<lower=1> N, K, D;
  array[N, K] int<lower=0> y;
  matrix[N, D] X;
}
parameters {
  matrix[D, K - 1] beta;
  real<lower=0> precision_;
}
model {
  to_vector(beta) ~ normal(0, 1);
  precision_ ~ lognormal(3, 1);
  for (n in 1:N) {
    vector[K] eta = append_row(0, (X[n] * beta)');
    y[n] ~ dirichlet_multinomial_rows(precision_ * softmax(eta));
  }
}
