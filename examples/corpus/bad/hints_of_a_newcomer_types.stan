data { int N; matrix[N, 2] X; vector[N] y; }
parameters { simplex[3] q; vector[2] b; }
model {
  q ~ dirichlet(1, 1, 1); // ERROR
  y ~ normal(b * X, 1); // ERROR
}
