// N = 600; G = 40
// t ~ exponential(N); d ~ bernoulli(N; 0.6); g ~ levels(N; G); x ~ normal(N)
data { int N; int G; vector[N] t; array[N] int d; array[N] int g; vector[N] x; }
transformed data { vector[N] lt = log(t); }
parameters { real a; real b; vector[G] f; real<lower=0> sf; real<lower=0> k; }
model {
  f ~ normal(0, sf); sf ~ exponential(1); k ~ gamma(2, 1); a ~ normal(0, 2); b ~ normal(0, 1);
  for (i in 1:N) {
    real z = k * (lt[i] - a - b * x[i] - f[g[i]]);
    target += -log1p_exp(z) + d[i] * (log(k) - lt[i] + z - log1p_exp(z));
  }
}
