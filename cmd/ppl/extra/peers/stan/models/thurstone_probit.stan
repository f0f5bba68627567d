// N = 300; K = 4
// w ~ levels(N; 4); x ~ normal(N, K)
data { int N; int K; array[N] int w; array[N] vector[K] x; }
parameters { vector[K - 1] a; real b; real<lower=0> s; }
model {
  vector[K] al = append_row(a, 0);
  a ~ normal(0, 1); b ~ normal(0, 1); s ~ lognormal(0, 0.3);
  for (n in 1:N) {
    vector[K] u = (al + b * x[n]) / s;
    real lp = 0;
    for (k in 1:K) if (k != w[n]) lp += normal_lcdf(u[w[n]] - u[k] | 0, sqrt2());
    target += lp;
  }
}
