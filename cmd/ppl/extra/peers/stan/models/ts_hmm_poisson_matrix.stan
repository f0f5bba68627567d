// T = 400; K = 2
// y ~ poisson(T; 4)
data { int T; int K; array[T] int y; }
parameters { array[K] simplex[K] A; positive_ordered[K] lambda; }
transformed parameters { matrix[K, K] G; for (k in 1:K) G[k] = A[k]'; }
model {
  matrix[K, T] ll;
  lambda ~ gamma(3, 0.5);
  for (t in 1:T) for (k in 1:K) ll[k, t] = poisson_lpmf(y[t] | lambda[k]);
  target += hmm_marginal(ll, G, rep_vector(1.0 / K, K));
}
