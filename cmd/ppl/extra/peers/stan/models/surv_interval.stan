// N = 400
// lo ~ uniform(N; 0.1, 2); w ~ uniform(N; 0.1, 1); z ~ normal(N)
data { int N; vector[N] lo; vector[N] w; vector[N] z; }
parameters { real a; real b; real<lower=0> s; }
model {
  a ~ normal(0, 2); b ~ normal(0, 2); s ~ normal(0, 1);
  for (i in 1:N)
    target += log_diff_exp(lognormal_lcdf(lo[i] + w[i] | a + b * z[i], s), lognormal_lcdf(lo[i] | a + b * z[i], s));
}
