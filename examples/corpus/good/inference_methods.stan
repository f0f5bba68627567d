// Every method, with some of its options.
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
}
model {
  mu ~ normal(0, 5);
  sigma ~ exponential(1);
  y ~ normal(mu, sigma);
}
inference {
  a = nuts(delta = 0.95, max_depth = 12, metric = "dense", thin = 2);
  b = hmc(leapfrogs = 20, metric = "unit", init = 0.5);
  c = mh(warmup = 2000, draws = 5000);
  d = gibbs(chains = 1);
  f = advi(family = "fullrank", draws = 2000);
  g = gvi(loss = nll(), divergence = kl(2), family = "meanfield");
  h = fvi(divergence = renyi(0.5));
  i = cavi();
  j = laplace();
  k = map();
  l = pathfinder();
  m = sgld();
  n = ais(nuts());
  o = smc(nuts(delta = 0.9));
  p = bridge(nuts());
}
