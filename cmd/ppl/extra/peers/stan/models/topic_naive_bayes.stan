// K = 4; V = 30; M = 60; N = 1500
// z ~ levels(M; K); w ~ levels(N; V); doc ~ levels(N; M)
data { int K; int V; int M; int N; array[M] int z; array[N] int w; array[N] int doc; }
parameters { simplex[K] theta; array[K] simplex[V] phi; }
model {
  theta ~ dirichlet(rep_vector(1, K)); for (k in 1:K) phi[k] ~ dirichlet(rep_vector(0.5, V));
  for (m in 1:M) z[m] ~ categorical(theta);
  for (n in 1:N) w[n] ~ categorical(phi[z[doc[n]]]);
}
