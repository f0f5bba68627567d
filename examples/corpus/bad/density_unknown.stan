parameters {
  real x;
}
model {
  target += gaussian_lpdf(x | 0, 1); // ERROR
}
