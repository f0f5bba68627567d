// N = 400
// x ~ normal(N); y ~ uniform(N; 0.1, 3)
data { int N; vector[N] x; vector[N] y; }
parameters { real a; real b; real<lower=0> s; }
model { a ~ normal(0, 2); b ~ normal(0, 2); s ~ normal(0, 2); for (n in 1:N) y[n] ~ normal(a + b * x[n], s) T[0, 4]; }
