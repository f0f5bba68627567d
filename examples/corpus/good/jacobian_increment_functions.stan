// Functions whose name ends in _jacobian, nested and with library transforms.
functions {
  real positive_jacobian(real y) {
    jacobian += y;
    return exp(y);
  }
  vector positives_jacobian(vector y) {
    vector[size(y)] x;
    for (i in 1:size(y)) {
      x[i] = positive_jacobian(y[i]);
    }
    return x;
  }
}
parameters {
  vector[3] y;
  vector[2] u;
  real b;
}
transformed parameters {
  vector[3] x = positives_jacobian(y);
  simplex[3] s = simplex_jacobian(u);
  real<lower=1, upper=2> c = lower_upper_bound_jacobian(b, 1, 2);
}
model {
  x ~ gamma(2, 2);
  s ~ dirichlet([2, 2, 2]');
}
