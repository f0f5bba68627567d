// The simplest directive.
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
  y ~ normal(mu, 1);
}
inference {
  fit = nuts(warmup = 500, draws = 500, chains = 2);
}
