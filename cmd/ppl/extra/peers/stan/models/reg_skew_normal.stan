// N = 400
// x ~ normal(N); y ~ normal(N)
data { int N; vector[N] x; vector[N] y; }
parameters { real a; real b; real<lower=0> s; real alpha; }
model { alpha ~ normal(0, 4); s ~ normal(0, 2); y ~ skew_normal(a + b * x, s, alpha); }
