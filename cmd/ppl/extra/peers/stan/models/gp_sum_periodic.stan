// N = 100
// x ~ grid(N; 0, 10); y ~ normal(N)
data { int N; array[N] real x; vector[N] y; }
parameters { real<lower=0> r1; real<lower=0> a1; real<lower=0> r2; real<lower=0> a2; real<lower=0> s; }
model {
  matrix[N, N] K = gp_exp_quad_cov(x, a1, r1) + gp_periodic_cov(x, a2, r2, 1.0) + diag_matrix(rep_vector(square(s), N));
  r1 ~ inv_gamma(5, 5); a1 ~ normal(0, 1); r2 ~ inv_gamma(5, 5); a2 ~ normal(0, 1); s ~ normal(0, 1);
  y ~ multi_normal(rep_vector(0, N), K);
}
