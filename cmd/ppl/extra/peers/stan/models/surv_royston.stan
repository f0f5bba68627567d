// N = 150; K = 5
// t ~ lognormal(N; 0, 0.7); d ~ bernoulli(N; 0.7); x ~ normal(N, 2); B ~ uniform(N, K; 0, 1); dB ~ uniform(N, K; 0.1, 1)
data { int N; int K; vector[N] t; array[N] int d; matrix[N, 2] x; matrix[N, K] B; matrix[N, K] dB; }
parameters { vector<lower=0>[K] g; real g0; vector[2] b; }
model {
  vector[N] eta = g0 + B * g + x * b; vector[N] ds = dB * g;
  g ~ normal(0, 1); g0 ~ normal(0, 2); b ~ normal(0, 1);
  for (n in 1:N) { target += -exp(eta[n]); if (d[n] == 1) target += eta[n] + log(ds[n]) - log(t[n]); }
}
