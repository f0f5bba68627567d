parameters {
  real x;
}
model {
  target += 2 x; // ERROR
}
