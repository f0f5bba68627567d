// N = 500
// u ~ uniform(N; 0.02, 0.98); v ~ uniform(N; 0.02, 0.98)
data { int N; vector[N] u; vector[N] v; }
parameters { real<lower=0> theta; }
model {
  theta ~ exponential(0.5);
  for (n in 1:N) target += log1p(theta) - (theta + 1) * (log(u[n]) + log(v[n])) - (2 + 1 / theta) * log(u[n] ^ (-theta) + v[n] ^ (-theta) - 1);
}
