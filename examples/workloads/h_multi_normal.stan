// Workload H: vectors with a normal distribution whose covariance falls off with the
// distance of the elements.
data {
  int<lower=1> K;
  int<lower=0> N;
  array[N] vector[K] y;
}
transformed data {
  matrix[K, K] distance;
  for (j in 1:K) {
    for (i in 1:K) {
      distance[i, j] = abs(i - j) / 10.0;
    }
  }
}
parameters {
  vector[K] mu;
  real<lower=0> tau;
  real<lower=0> range;
  real<lower=0> sigma;
}
model {
  matrix[K, K] Sigma = add_diag(square(tau) * exp(-distance / range), square(sigma));
  mu ~ normal(0, 5);
  tau ~ normal(0, 2);
  range ~ inv_gamma(5, 5);
  sigma ~ normal(0, 2);
  y ~ multi_normal(mu, Sigma);
}
