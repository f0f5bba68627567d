// T = 150; N = 6
// y ~ normal(T, N)
data { int T; int N; array[T] vector[N] y; }
parameters { vector[N] lam; matrix[T, N] h; vector[N] mu; vector<lower=0, upper=1>[N] phi; vector<lower=0>[N] sg; vector[T] f; }
model {
  lam ~ normal(0, 1); mu ~ normal(0, 1); phi ~ beta(20, 1.5); sg ~ normal(0, 0.3); f ~ std_normal();
  for (n in 1:N) {
    h[1, n] ~ normal(mu[n], sg[n] / sqrt(1 - square(phi[n])));
    for (t in 2:T) h[t, n] ~ normal(mu[n] + phi[n] * (h[t - 1, n] - mu[n]), sg[n]);
  }
  for (t in 1:T) y[t] ~ normal(lam * f[t], exp(h[t]' / 2));
}
