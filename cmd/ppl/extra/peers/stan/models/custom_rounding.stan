// N = 300
// y ~ counts(N; 2, 12)
data { int N; array[N] int y; }
parameters { real mu; real<lower=0> s; }
model { mu ~ normal(5, 5); s ~ normal(0, 5); for (n in 1:N) target += log(normal_cdf(y[n] + 0.5 | mu, s) - normal_cdf(y[n] - 0.5 | mu, s)); }
