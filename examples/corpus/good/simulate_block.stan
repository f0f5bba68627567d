// A simulator where the model block cannot be read as one.
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
}
model {
  target += -0.5 * square(mu / 10) - sigma;
  target += -N * log(sigma) - 0.5 * dot_self((y - mu) / sigma);
}
simulate {
  mu = normal_rng(0, 10);
  sigma = exponential_rng(1);
  for (n in 1 : N) {
    y[n] = normal_rng(mu, sigma);
  }
}
