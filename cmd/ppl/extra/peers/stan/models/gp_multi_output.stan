// N = 40; D = 3
// x ~ grid(N; -1, 1); y ~ normal(N, D)
data { int N; int D; array[N] real x; matrix[N, D] y; }
parameters { real<lower=0> rho; vector<lower=0>[D] alpha; real<lower=0> sigma; cholesky_factor_corr[D] L; matrix[N, D] eta; }
model {
  matrix[N, N] K = gp_exp_quad_cov(x, 1.0, rho);
  for (n in 1:N) K[n, n] = K[n, n] + 1e-8;
  rho ~ inv_gamma(5, 5); alpha ~ normal(0, 1); sigma ~ normal(0, 1); L ~ lkj_corr_cholesky(3); to_vector(eta) ~ normal(0, 1);
  to_vector(y) ~ normal(to_vector(cholesky_decompose(K) * eta * diag_pre_multiply(alpha, L)'), sigma);
}
