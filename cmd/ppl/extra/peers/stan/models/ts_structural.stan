// T = 240
// y ~ normal(T)
data { int T; vector[T] y; }
parameters { vector[T] u; vector[T] v; vector[T] s; real<lower=0> su; real<lower=0> sv; real<lower=0> ss; real<lower=0> sy; }
model {
  for (t in 2:T) { v[t] ~ normal(v[t - 1], sv); u[t] ~ normal(u[t - 1] + v[t - 1], su); }
  for (t in 12:T) s[t] ~ normal(-sum(s[(t - 11):(t - 1)]), ss);
  y ~ normal(u + s, sy);
  su ~ normal(0, 1); sv ~ normal(0, 1); ss ~ normal(0, 1); sy ~ normal(0, 1);
}
