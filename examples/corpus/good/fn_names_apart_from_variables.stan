// Names of arguments and local variables of a function are its own.
functions {
  real f(real x, real mu) {
    real sigma = x - mu;
    return sigma;
  }
  real g(real x) {
    real mu = x;
    return f(mu, x);
  }
}
parameters {
  real mu;
  real<lower=0> sigma;
}
model {
  mu ~ normal(0, 1);
  sigma ~ exponential(1);
  target += -square(f(mu, sigma)) + g(mu);
}
