// N = 500; K = 3
// x ~ normal(N); y ~ normal(N)
data { int N; int K; vector[N] x; vector[N] y; }
parameters { vector[K] ga; vector[K] gb; vector[K] a; vector[K] b; vector<lower=0>[K] s; }
model {
  ga ~ normal(0, 2); gb ~ normal(0, 2); a ~ normal(0, 2); b ~ normal(0, 2); s ~ normal(0, 1);
  for (n in 1:N) {
    vector[K] lw = log_softmax(ga + gb * x[n]);
    vector[K] lp;
    for (k in 1:K) lp[k] = lw[k] + normal_lpdf(y[n] | a[k] + b[k] * x[n], s[k]);
    target += log_sum_exp(lp);
  }
}
