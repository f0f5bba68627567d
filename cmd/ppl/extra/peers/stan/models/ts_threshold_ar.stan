// T = 400
// y ~ normal(T)
data { int T; vector[T] y; }
parameters { real a1; real a2; real b1; real b2; real r; real<lower=0> s; real<lower=0> g; }
model {
  a1 ~ normal(0, 1); a2 ~ normal(0, 1); b1 ~ normal(0, 1); b2 ~ normal(0, 1); r ~ normal(0, 1); s ~ normal(0, 1); g ~ gamma(4, 1);
  for (t in 2:T) {
    real w = inv_logit(g * (y[t - 1] - r));
    y[t] ~ normal((1 - w) * (a1 + b1 * y[t - 1]) + w * (a2 + b2 * y[t - 1]), s);
  }
}
