// Every suffix: densities with their distribution functions, truncation of the
// user's own distribution, random numbers, target and Jacobian functions.
functions {
  real tent_lpdf(real x, real w) {
    return abs(x) < w ? log(w - abs(x)) - 2 * log(w) : negative_infinity();
  }
  real tent_cdf(real x, real w) {
    return x < 0 ? 0.5 * (1 + x / w) ^ 2 : 1 - 0.5 * (1 - x / w) ^ 2;
  }
  real tent_lcdf(real x, real w) {
    return log(tent_cdf(x | w));
  }
  real tent_lccdf(real x, real w) {
    return log1m(tent_cdf(x | w));
  }
  real tent_rng(real w) {
    return w * (uniform_rng(0, 1) - uniform_rng(0, 1));
  }
  real coin_lpmf(int n, real p) {
    return n == 1 ? log(p) : log1m(p);
  }
  void prior_lp(real x) {
    x ~ tent(2);
    target += -0.5;
  }
  real scaled_jacobian(real x, real s) {
    jacobian += log(s);
    return x * s;
  }
}
parameters {
  real<lower=-1, upper=1> x;
  real<lower=0, upper=1> y;
  real z;
}
transformed parameters {
  real w = scaled_jacobian(z, 3);
}
model {
  prior_lp(x);
  y ~ tent(1) T[0, ];
  w ~ normal(0, 1);
  1 ~ coin(y);
  target += tent_lupdf(x | 3) + coin_lupmf(0 | y);
}
generated quantities {
  real draw = tent_rng(2);
  real below = tent_cdf(0.5 | 1);
}
