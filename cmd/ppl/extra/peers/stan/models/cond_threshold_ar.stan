// T = 400
// y ~ normal(T)
data { int T; vector[T] y; }
parameters { real a1; real a2; real b1; real b2; real r; real<lower=0> s1; real<lower=0> s2; }
model {
  a1 ~ normal(0, 1); a2 ~ normal(0, 1); b1 ~ normal(0, 1); b2 ~ normal(0, 1); r ~ normal(0, 1); s1 ~ exponential(1); s2 ~ exponential(1);
  for (t in 2:T) {
    if (y[t - 1] < r) y[t] ~ normal(a1 + b1 * y[t - 1], s1);
    else y[t] ~ normal(a2 + b2 * y[t - 1], s2);
  }
}
