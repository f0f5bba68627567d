// N = 300; K = 3
// x ~ normal(N, K); n ~ counts(N; 20, 40); y ~ counts(N; 2, 18)
data { int N; int K; matrix[N, K] x; array[N] int n; array[N] int y; }
parameters { vector[K] b; real<lower=0> phi; }
model {
  vector[N] p = inv_logit(x * b);
  phi ~ gamma(2, 0.1);
  for (i in 1:N) y[i] ~ beta_binomial(n[i], p[i] * phi, (1 - p[i]) * phi);
}
