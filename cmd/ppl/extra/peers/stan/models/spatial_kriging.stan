// n = 60
// d ~ distances(n); x ~ normal(n); y ~ normal(n)
data { int n; matrix[n, n] d; vector[n] x; vector[n] y; }
parameters { real a; real b; real<lower=0> range; real<lower=0> sill; real<lower=0> nugget; }
model {
  matrix[n, n] S = square(sill) * exp(-d / range) + diag_matrix(rep_vector(square(nugget), n));
  range ~ gamma(2, 1); sill ~ normal(0, 1); nugget ~ normal(0, 1); a ~ normal(0, 1); b ~ normal(0, 1);
  y ~ multi_normal(a + b * x, S);
}
