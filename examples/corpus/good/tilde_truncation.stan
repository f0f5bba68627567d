// Truncation below, above, on both sides and on none.
data {
  int<lower=0> N;
  vector<lower=-1, upper=3>[N] y;
}
parameters {
  real<lower=0> mu;
  real<lower=0> sigma;
}
model {
  mu ~ normal(0, 1) T[0, ];
  sigma ~ cauchy(0, 1) T[0, positive_infinity()];
  for (n in 1 : N) {
    y[n] ~ normal(mu, sigma) T[-1, 3];
    y[n] ~ normal(mu, sigma) T[ , 3];
    y[n] ~ normal(mu, sigma) T[ , ];
  }
}
