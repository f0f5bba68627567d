functions {
  real unit_lpdf(real x) {
    return -x;
  }
}
parameters {
  real<lower=0> x;
}
model {
  target += unit_lupmf(x | ); // ERROR
}
