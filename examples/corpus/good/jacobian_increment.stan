// `jacobian +=` corrects for a change of variables in transformed parameters.
functions {
  real log_upper_jacobian(real x, real bound) {
    jacobian += x;
    return bound - exp(x);
  }
}
parameters {
  real log_sigma;
  real y_raw;
  vector[2] u;
}
transformed parameters {
  real<lower=0> sigma = exp(log_sigma);
  jacobian += log_sigma;
  real<upper=3> y = log_upper_jacobian(y_raw, 3);
  vector[2] w = exp(u);
  jacobian += u;
}
model {
  sigma ~ exponential(1);
  y ~ normal(0, 1);
  w ~ exponential(1);
}
