// A user's density and mass function on the right of a tilde, truncated too.
functions {
  real laplace_lpdf(real y, real mu, real b) {
    return -log(2 * b) - abs(y - mu) / b;
  }
  real laplace_lcdf(real y, real mu, real b) {
    return y < mu ? -log2() + (y - mu) / b : log1m(0.5 * exp(-(y - mu) / b));
  }
  real laplace_lccdf(real y, real mu, real b) {
    return y < mu ? log1m(0.5 * exp((y - mu) / b)) : -log2() - (y - mu) / b;
  }
  real coin_lpmf(int k, real p) {
    return k == 1 ? log(p) : log1m(p);
  }
}
data {
  real<lower=0> y;
  int<lower=0, upper=1> k;
}
parameters {
  real mu;
  real<lower=0, upper=1> p;
}
model {
  mu ~ laplace(0, 2);
  y ~ laplace(mu, 1) T[0, ];
  y ~ laplace(mu, 1) T[0, 10];
  k ~ coin(p);
}
