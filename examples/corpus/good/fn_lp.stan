// Functions in _lp may add to the log density, by target and by tilde.
functions {
  void prior_lp(vector x, real scale) {
    x ~ normal(0, scale);
    target += -0.1 * sum(x);
  }
  real centred_lp(real x, real mu) {
    x ~ normal(mu, 1);
    prior_lp([x]', 2);
    return x - mu + 0 * target();
  }
}
parameters {
  vector[3] x;
  real y;
}
transformed parameters {
  real z = centred_lp(y, 3);
}
model {
  prior_lp(x, 1);
  real w = centred_lp(x[1], 0);
  target += -square(w + z);
}
