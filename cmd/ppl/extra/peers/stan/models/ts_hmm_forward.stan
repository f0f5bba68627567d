// T = 300; K = 3
// y ~ normal(T)
data { int T; int K; array[T] real y; }
parameters { simplex[K] pi1; array[K] simplex[K] A; ordered[K] mu; array[K] real<lower=0> sigma; }
model {
  array[T] vector[K] logalpha; array[K] real acc;
  mu ~ normal(0, 2); sigma ~ normal(0, 1);
  for (k in 1:K) logalpha[1][k] = log(pi1[k]) + normal_lpdf(y[1] | mu[k], sigma[k]);
  for (t in 2:T) for (j in 1:K) {
    for (i in 1:K) acc[i] = logalpha[t - 1][i] + log(A[i, j]) + normal_lpdf(y[t] | mu[j], sigma[j]);
    logalpha[t][j] = log_sum_exp(acc);
  }
  target += log_sum_exp(logalpha[T]);
}
