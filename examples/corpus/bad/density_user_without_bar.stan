functions {
  real f_lpdf(real y, real mu) {
    return -square(y - mu);
  }
}
parameters {
  real x;
}
model {
  target += f_lpdf(x, 1); // ERROR
}
