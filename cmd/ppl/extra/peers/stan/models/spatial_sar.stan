// n = 40
// W ~ adjacency(n); x ~ normal(n, 3); y ~ normal(n)
data { int n; matrix[n, n] W; matrix[n, 3] x; vector[n] y; }
parameters { vector[3] b; real<lower=0, upper=0.2> rho; real<lower=0> s; }
model {
  matrix[n, n] A = add_diag(-rho * W, 1);
  b ~ normal(0, 2); s ~ normal(0, 2);
  target += log_determinant(A);
  A * y ~ normal(x * b, s);
}
