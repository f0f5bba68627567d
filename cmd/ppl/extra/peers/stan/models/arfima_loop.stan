// T = 100
// y ~ normal(T)
data { int T; vector[T] y; }
parameters { real<lower=-0.49, upper=0.49> d; real mu; real<lower=0> s; }
model {
  vector[T] pi_; vector[T] e;
  pi_[1] = 1; for (k in 2:T) pi_[k] = pi_[k - 1] * (k - 2 - d) / (k - 1);
  for (t in 1:T) { real a = 0; for (k in 1:t) a += pi_[k] * (y[t - k + 1] - mu); e[t] = a; }
  mu ~ normal(0, 1); s ~ normal(0, 1); e ~ normal(0, s);
}
