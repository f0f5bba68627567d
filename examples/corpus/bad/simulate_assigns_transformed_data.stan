data {
  real y;
}
transformed data {
  real scale = 2;
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, scale);
  y ~ normal(mu, 1);
}
simulate {
  scale = 1; // ERROR
  mu = normal_rng(0, scale);
  y = normal_rng(mu, 1);
}
