// N = 200; K = 5
// y ~ levels(N; 5); x ~ normal(N); al ~ exponential(K)
functions {
  real induced_lpdf(vector c, vector al, real phi) {
    int K = rows(al); vector[K - 1] sig = inv_logit(phi - c); vector[K] p; matrix[K, K] J = rep_matrix(0, K, K);
    p[1] = 1 - sig[1]; for (k in 2:(K - 1)) p[k] = sig[k - 1] - sig[k]; p[K] = sig[K - 1];
    for (k in 1:K) J[k, 1] = 1;
    for (k in 2:K) { real rho = sig[k - 1] * (1 - sig[k - 1]); J[k, k] = -rho; J[k - 1, k] = rho; }
    return dirichlet_lpdf(p | al) + log_determinant(J);
  }
}
data { int N; int K; array[N] int y; vector[N] x; vector[K] al; }
parameters { real b; ordered[K - 1] c; }
model { b ~ normal(0, 1); c ~ induced(al + 0.5, 0); y ~ ordered_logistic(x * b, c); }
