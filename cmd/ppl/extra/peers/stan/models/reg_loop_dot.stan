// N = 1000; K = 8
// x ~ normal(N, K); y ~ normal(N)
data { int<lower=0> N; int<lower=0> K; matrix[N, K] x; vector[N] y; }
parameters { real alpha; vector[K] beta; real<lower=0> sigma; }
model {
  beta ~ normal(0, 2);
  sigma ~ cauchy(0, 2.5);
  for (n in 1:N)
    y[n] ~ normal(alpha + x[n] * beta, sigma);
}
