// Every block of the Stan language, once, in its order.
functions {
  real twice(real x) {
    return 2 * x;
  }
}
data {
  int<lower=0> N;
  vector[N] y;
}
transformed data {
  real scale = twice(5);
}
parameters {
  real mu;
  real<lower=0> sigma;
}
transformed parameters {
  real precision = inv_square(sigma);
}
model {
  mu ~ normal(0, scale);
  sigma ~ exponential(1);
  y ~ normal(mu, sigma);
}
generated quantities {
  array[N] real y_rep = normal_rng(rep_vector(mu, N), sigma);
}
