// N = 1000; K = 4
// y ~ normal(N)
data { int N; int K; array[N] real y; }
parameters { simplex[K] theta; ordered[K] mu; vector<lower=0>[K] sigma; }
model {
  array[K] real ps;
  sigma ~ lognormal(0, 1); mu ~ normal(0, 3);
  for (n in 1:N) {
    for (k in 1:K) ps[k] = log(theta[k]) + normal_lpdf(y[n] | mu[k], sigma[k]);
    target += log_sum_exp(ps);
  }
}
