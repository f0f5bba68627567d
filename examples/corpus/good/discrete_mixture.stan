// A mixture with one indicator an observation.
data {
  int<lower=0> N;
  int<lower=1> K;
  vector[N] y;
}
parameters {
  simplex[K] theta;
  ordered[K] mu;
  real<lower=0> sigma;
  array[N] int<lower=1, upper=K> z;
}
model {
  mu ~ normal(0, 5);
  sigma ~ exponential(1);
  z ~ categorical(theta);
  for (n in 1 : N) {
    y[n] ~ normal(mu[z[n]], sigma);
  }
}
generated quantities {
  array[K] int count = rep_array(0, K);
  for (n in 1 : N) {
    count[z[n]] += 1;
  }
}
