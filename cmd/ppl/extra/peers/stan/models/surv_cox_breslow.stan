// N = 300; K = 3
// x ~ normal(N, K); event ~ bernoulli(N; 0.7)
data { int N; int K; matrix[N, K] x; array[N] int event; }
parameters { vector[K] b; }
model {
  vector[N] eta = x * b;
  b ~ normal(0, 1);
  for (i in 1:N) if (event[i] == 1) target += eta[i] - log_sum_exp(eta[i:N]);
}
