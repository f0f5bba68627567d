parameters {
  real x;
}
model {
  x ~ gaussian(0, 1); // ERROR
}
