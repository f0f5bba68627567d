// N = 900; G = 60
// g ~ levels(N; G); t ~ grid(N; 0, 10); y ~ normal(N)
data { int N; int G; array[N] int g; vector[N] t; vector[N] y; }
parameters { vector[3] b; matrix[3, G] z; cholesky_factor_corr[3] L; vector<lower=0>[3] tau; real<lower=0> s; }
transformed parameters { matrix[G, 3] u = (diag_pre_multiply(tau, L) * z)'; }
model {
  b ~ normal(0, 2); to_vector(z) ~ std_normal(); L ~ lkj_corr_cholesky(2); tau ~ exponential(1); s ~ exponential(1);
  vector[N] mu;
  for (n in 1:N) {
    real A = exp(b[1] + u[g[n], 1]);
    real k = exp(b[2] + u[g[n], 2]);
    real t0 = b[3] + u[g[n], 3];
    mu[n] = A / (1 + exp(-k * (t[n] - t0)));
  }
  y ~ normal(mu, s);
}
