functions {
  real tent_lpdf(real x, real w) {
    return -w;
  }
}
parameters {
  real x;
}
model {
  x ~ tent(1) T[0, ]; // ERROR
}
