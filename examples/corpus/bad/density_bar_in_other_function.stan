parameters {
  real x;
}
model {
  target += atan2(x | 1); // ERROR
}
