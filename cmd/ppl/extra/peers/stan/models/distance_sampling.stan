// N = 150; B = 6
// d ~ uniform(N; 0, 2.5); W = 3.0
data { int N; int B; vector[N] d; real W; }
parameters { real<lower=0> sigma; real<lower=0> lambda; }
model {
  real mu = sigma * sqrt(pi() / 2) * (2 * Phi(W / sigma) - 1);
  sigma ~ normal(0, 2); lambda ~ gamma(2, 0.01);
  for (i in 1:N) target += -square(d[i]) / (2 * square(sigma)) - log(mu);
  N ~ poisson(lambda * mu / W);
}
