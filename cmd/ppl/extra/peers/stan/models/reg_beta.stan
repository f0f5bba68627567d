// N = 400; K = 3
// x ~ normal(N, K); y ~ uniform(N; 0.02, 0.98)
data { int N; int K; matrix[N, K] x; vector<lower=0, upper=1>[N] y; }
parameters { vector[K] b; real<lower=0> phi; }
model {
  vector[N] mu = inv_logit(x * b);
  b ~ normal(0, 1); phi ~ cauchy(0, 5);
  y ~ beta(mu * phi, (1 - mu) * phi);
}
