functions {
  real counts(vector theta, array[] int y) { return poisson_log_lpmf(y | theta); }
  matrix K(real a) { return diag_matrix(rep_vector(square(a), 2)); }
}
data { array[2] int y; }
parameters { real<lower=0> a; vector[2] start; }
model {
  target += laplace_marginal(counts, (y), 1, K, (a,)); // ERROR
  target += laplace_marginal_tol(counts, (y,), 1, K, (a,), (start, a, 100, 1, 10, 1)); // ERROR
}
