// N = 200; K = 3; D = 4
// X ~ normal(N, D); y ~ normal(N)
data { int N; int K; int D; matrix[N, D] X; vector[N] y; }
parameters { matrix[D, K] B; simplex[K] w; vector<lower=0>[K] s; }
model {
  matrix[N, K] M = X * B;
  to_vector(B) ~ normal(0, 1); s ~ normal(0, 1);
  for (n in 1:N) { vector[K] lp = log(w); for (k in 1:K) lp[k] += normal_lpdf(y[n] | M[n, k], s[k]); target += log_sum_exp(lp); }
}
