// N = 300
// x ~ normal(N); y ~ uniform(N; -3.1, 3.1)
data { int N; vector[N] x; vector<lower=-3.15, upper=3.15>[N] y; }
parameters { real<lower=-3.14, upper=3.14> mu; real b; real<lower=0> kappa; }
model { b ~ normal(0, 1); kappa ~ gamma(2, 0.5); for (n in 1:N) y[n] ~ von_mises(mu + 2 * atan(b * x[n]), kappa); }
