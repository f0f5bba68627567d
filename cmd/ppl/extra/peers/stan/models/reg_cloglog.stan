// N = 500
// x ~ normal(N); y ~ bernoulli(N; 0.3)
data { int N; vector[N] x; array[N] int<lower=0, upper=1> y; }
parameters { real a; real b; }
transformed parameters { vector[N] p; for (i in 1:N) p[i] = 1 - exp(-exp(a + b * x[i])); }
model { a ~ normal(0, 2); b ~ normal(0, 2); y ~ bernoulli(p); }
