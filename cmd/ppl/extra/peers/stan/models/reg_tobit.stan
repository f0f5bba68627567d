// N = 600; K = 3
// x ~ normal(N, K); y ~ normal(N); cens ~ bernoulli(N; 0.3)
data { int N; int K; matrix[N, K] x; vector[N] y; array[N] int cens; }
parameters { vector[K] b; real<lower=0> s; }
model {
  vector[N] mu = x * b;
  s ~ normal(0, 2);
  for (n in 1:N)
    if (cens[n] == 1) target += normal_lccdf(y[n] | mu[n], s);
    else target += normal_lpdf(y[n] | mu[n], s);
}
