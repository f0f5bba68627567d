parameters {
  real x;
}
model {
  target = target() + x; // ERROR
}
