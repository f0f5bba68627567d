// N = 400; K = 10
// y ~ normal(N)
data { int N; int K; vector[N] y; }
parameters { vector[K] mu; vector<lower=0>[K] sigma; vector<lower=0, upper=1>[K - 1] v; real<lower=0> alpha; }
transformed parameters {
  vector[K] w;
  w[1] = v[1];
  for (j in 2:(K - 1)) w[j] = v[j] * (1 - v[j - 1]) * w[j - 1] / v[j - 1];
  w[K] = 1 - sum(w[1:(K - 1)]);
}
model {
  array[K] real ps;
  sigma ~ inv_gamma(2, 1); alpha ~ gamma(6, 1); mu ~ normal(0, 3); v ~ beta(1, alpha);
  for (n in 1:N) { for (c in 1:K) ps[c] = log(w[c]) + normal_lpdf(y[n] | mu[c], sqrt(sigma[c])); target += log_sum_exp(ps); }
}
