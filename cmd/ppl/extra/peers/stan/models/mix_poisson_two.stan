// N = 500
// y ~ poisson(N; 5)
data { int N; array[N] int y; }
parameters { real<lower=0, upper=1> p; positive_ordered[2] lambda; }
model { lambda ~ gamma(2, 0.2); for (n in 1:N) target += log_mix(p, poisson_lpmf(y[n] | lambda[1]), poisson_lpmf(y[n] | lambda[2])); }
