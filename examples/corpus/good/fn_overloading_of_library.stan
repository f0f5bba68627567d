// A user's function may add arguments to a name of the library.
functions {
  real square(real x, real y) {
    return x * x + y * y;
  }
  real normal_lpdf(real y, real mu) {
    return -0.5 * square(y - mu);
  }
  real log_sum_exp(real a, real b, real c) {
    return log_sum_exp(a, log_sum_exp(b, c));
  }
}
parameters {
  real x;
}
model {
  x ~ normal(0);
  x ~ normal(0, 1);
  target += -square(x, 1) - log_sum_exp(x, 0, 1);
}
