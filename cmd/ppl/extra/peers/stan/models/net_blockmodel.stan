// N = 25; K = 3
// y ~ bernoulli(N, N; 0.3)
data { int N; int K; array[N, N] int y; }
parameters { array[N] simplex[K] w; matrix<lower=0, upper=1>[K, K] P; vector<lower=0>[K] al; }
model {
  al ~ gamma(2, 2); to_vector(P) ~ beta(1, 1);
  for (n in 1:N) w[n] ~ dirichlet(al);
  for (i in 1:N) for (j in 1:N) if (i != j) { real p = w[i]' * P * w[j]; y[i, j] ~ bernoulli(p); }
}
