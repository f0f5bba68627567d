// N = 500; K = 4
// x ~ normal(N, K); y ~ lognormal(N; 0, 0.5)
data { int N; int K; matrix[N, K] x; vector<lower=0>[N] y; }
parameters { real a; vector[K] b; real<lower=0> shape; }
model {
  vector[N] mu = exp(a + x * b);
  b ~ normal(0, 1);
  shape ~ gamma(0.01, 0.01);
  for (n in 1:N) mu[n] = shape / mu[n];
  y ~ gamma(shape, mu);
}
