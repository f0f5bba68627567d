// T = 300; K = 3
// y ~ normal(T); x ~ normal(T)
data { int T; int K; vector[T] y; vector[T] x; }
parameters { ordered[K] mu; vector<lower=0>[K] s; matrix[K, K] A; matrix[K, K] B; }
model {
  vector[K] lp;
  mu ~ normal(0, 3); s ~ normal(0, 1); to_vector(A) ~ normal(0, 1); to_vector(B) ~ normal(0, 1);
  for (k in 1:K) lp[k] = -log(K) + normal_lpdf(y[1] | mu[k], s[k]);
  for (t in 2:T) {
    matrix[K, K] G;
    vector[K] next;
    for (i in 1:K) G[i] = log_softmax(A[i]' + B[i]' * x[t])';
    for (j in 1:K) next[j] = log_sum_exp(lp + G[, j]) + normal_lpdf(y[t] | mu[j], s[j]);
    lp = next;
  }
  target += log_sum_exp(lp);
}
