// T = 200; K = 3
// y ~ normal(T); a ~ exponential(K)
data { int T; int K; vector[T] y; vector[K] a; }
parameters { array[K] simplex[K] G; ordered[K] mu; real<lower=0> s; simplex[K] rho; }
model {
  matrix[K, T] lw; matrix[K, K] Gm;
  for (k in 1:K) { Gm[k] = G[k]'; G[k] ~ dirichlet(a); }
  for (t in 1:T) for (k in 1:K) lw[k, t] = normal_lpdf(y[t] | mu[k], s);
  mu ~ normal(0, 2); s ~ normal(0, 1);
  target += hmm_marginal(lw, Gm, rho);
}
