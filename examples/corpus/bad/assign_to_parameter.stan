parameters {
  real x;
}
model {
  x = 3; // ERROR
}
