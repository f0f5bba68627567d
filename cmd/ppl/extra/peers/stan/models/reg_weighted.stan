// N = 700; K = 4
// x ~ normal(N, K); y ~ bernoulli(N; 0.5); w ~ uniform(N; 0.5, 2)
data { int N; int K; matrix[N, K] x; array[N] int y; vector[N] w; }
parameters { real a; vector[K] b; }
model {
  vector[N] eta = a + x * b;
  b ~ normal(0, 1);
  for (n in 1:N) target += w[n] * bernoulli_logit_lpmf(y[n] | eta[n]);
}
