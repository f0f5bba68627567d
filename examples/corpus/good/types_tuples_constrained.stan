// Tuples of parameters, each slot with a constraint of its own.
data {
  int<lower=1> K;
}
parameters {
  tuple(real<lower=0>, real<lower=0, upper=1>) sigma_theta;
  tuple(simplex[K], array[2] ordered[3], real) mixed;
  array[2] tuple(real, vector<lower=0>[K]) pairs;
}
model {
  sigma_theta.1 ~ exponential(1);
  mixed.2[1] ~ normal(0, 1);
  mixed.2[2] ~ normal(0, 1);
  mixed.3 ~ normal(0, 1);
  for (p in pairs) {
    p.1 ~ normal(0, 1);
    p.2 ~ exponential(1);
  }
}
