parameters {
  real x;
}
model {
  target += (x + 1)); // ERROR
}
