// The block that draws parameters and data from the model.
data {
  int<lower=0> N;
  array[N] real y;
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
  y ~ normal(mu, 1);
}
simulate {
  real scale = 1;
  mu = normal_rng(0, scale);
  y = normal_rng(rep_vector(mu, N), 1);
}
