// N = 150; K = 4
// x ~ normal(N); y ~ simplex(N, K)
data { int N; int K; vector[N] x; array[N] simplex[K] y; }
parameters { vector[K] a; vector[K] b; real<lower=0> phi; }
model {
  a ~ normal(0, 1); b ~ normal(0, 1); phi ~ gamma(4, 0.2);
  for (n in 1:N) y[n] ~ dirichlet(phi * softmax(a + b * x[n]) + 0.01);
}
