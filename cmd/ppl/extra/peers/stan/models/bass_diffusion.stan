// T = 60
// y ~ poisson(T; 40)
data { int T; array[T] int y; }
parameters { real<lower=0, upper=1> p; real<lower=0, upper=1> q; real<lower=0> m; real<lower=0> phi; }
model {
  real cum = 0;
  p ~ beta(1, 20); q ~ beta(2, 5); m ~ normal(3000, 1000); phi ~ exponential(0.1);
  for (t in 1:T) {
    real rate = (p + q * cum / m) * (m - cum);
    y[t] ~ neg_binomial_2(fmax(rate, 1e-3), phi);
    cum += y[t];
  }
}
