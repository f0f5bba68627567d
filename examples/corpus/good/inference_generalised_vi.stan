// Losses and divergences from their catalogues, by parameter, and added up.
data {
  int<lower=0> N;
  int<lower=0> D;
  matrix[N, D] X;
  vector[N] y;
}
parameters {
  vector[D] beta;
  real<lower=0> sigma;
}
model {
  beta ~ normal(0, 1);
  sigma ~ exponential(1);
  y ~ normal(X * beta, sigma);
}
inference {
  a = gvi(loss = beta(1.5), divergence = renyi(0.5), family = "fullrank");
  b = gvi(loss = gamma(1.1), divergence = alpha(0.5), family = "lowrank");
  c = gvi(divergence = [beta: renyi(0.5), sigma: kl(1)]);
  d = gvi(divergence = sum(kl(1), beta(1.5)), scale = "unconstrained");
  f = gvi(loss = dot_self(y - X * beta) / sigma, divergence = abr(0.5, 1.2, 0.9),
          family = "mixture");
}
