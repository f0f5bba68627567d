// T = 150
// y ~ normal(T)
data { int T; vector[T] y; }
parameters { vector[T] z; real<lower=0> k; real m; real<lower=0> s; real<lower=0> r; }
transformed parameters {
  vector[T] x; x[1] = m + z[1];
  for (t in 2:T) x[t] = x[t - 1] + k * (m - x[t - 1]) * 0.1 + s * sqrt(0.1) * sqrt(1 + square(x[t - 1])) * z[t];
}
model { z ~ std_normal(); k ~ lognormal(0, 0.5); m ~ normal(0, 1); s ~ normal(0, 1); r ~ normal(0, 1); y ~ normal(x, r); }
