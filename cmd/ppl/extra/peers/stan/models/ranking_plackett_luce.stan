// N = 100; K = 6
// r ~ perms(N, K)
data { int N; int K; array[N, K] int r; }
parameters { vector[K] s; }
model {
  s ~ normal(0, 1);
  for (n in 1:N) { vector[K] o = s[r[n]]; for (k in 1:(K - 1)) target += o[k] - log_sum_exp(o[k:K]); }
}
