// N = 200
// t ~ uniform(N; 1, 4); e ~ uniform(N; 0.1, 0.9); d ~ bernoulli(N; 0.6); x ~ normal(N)
data { int N; vector[N] t; vector[N] e; array[N] int d; vector[N] x; }
parameters { real<lower=0> al; real b0; real b; real<lower=0> q; }
model {
  al ~ lognormal(0, 0.5); b0 ~ normal(0, 1); b ~ normal(0, 1); q ~ gamma(2, 2);
  for (n in 1:N) {
    real sc = exp(b0 + b * x[n]);
    if (d[n] == 1) target += gamma_lpdf(t[n] | al, sc) - gamma_lccdf(e[n] | al, sc);
    else target += gamma_lccdf(t[n] | al, sc) - gamma_lccdf(e[n] | al, sc);
  }
}
