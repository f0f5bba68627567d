// Generated quantities see everything, draw random numbers, and are checked.
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
}
transformed parameters {
  real<lower=0> tau = inv(square(sigma));
}
model {
  mu ~ normal(0, 1);
  sigma ~ exponential(1);
  y ~ normal(mu, sigma);
}
generated quantities {
  vector[N] log_lik;
  vector[N] y_rep;
  real<lower=0> larger = fmax(mu, 0);
  int<lower=0, upper=1> positive = mu > 0;
  array[2, 2] int table = rep_array(poisson_rng(tau), 2, 2);
  {
    real inner = 0;
    for (n in 1 : N) {
      log_lik[n] = normal_lpdf(y[n] | mu, sigma);
      y_rep[n] = normal_rng(mu, sigma);
      inner += y_rep[n];
    }
    table[1, 2] = inner > 0;
  }
}
