// N = 300; K = 3
// y ~ uniform(N; -3.1, 3.1)
data { int N; int K; vector[N] y; }
parameters { simplex[K] w; vector<lower=-3.14, upper=3.14>[K] mu; vector<lower=0>[K] kap; }
model {
  kap ~ gamma(2, 0.5); w ~ dirichlet(rep_vector(1, K));
  for (n in 1:N) {
    array[K] real ps;
    for (k in 1:K) ps[k] = log(w[k]) + von_mises_lpdf(y[n] | mu[k], kap[k]);
    target += log_sum_exp(ps);
  }
}
