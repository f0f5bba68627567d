// A user's density may use densities up to a constant.
functions {
  real location_lpdf(vector y, real mu) {
    return normal_lupdf(y | mu, 2);
  }
  real location_lpdf(real y, real mu) {
    return normal_lupdf(y | mu, 2);
  }
  real count_lpmf(array[] int k, real rate) {
    return poisson_lupmf(k | rate);
  }
}
data {
  int N;
  vector[N] y;
  array[N] int<lower=0> k;
}
parameters {
  real mu;
  real<lower=0> rate;
}
model {
  y ~ location(mu);
  target += location_lpdf(mu | 0);
  target += location_lupdf(mu | 0);
  k ~ count(rate);
}
