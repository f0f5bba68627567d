parameters {
  real x;
}
model {
  target += x + ; // ERROR
}
