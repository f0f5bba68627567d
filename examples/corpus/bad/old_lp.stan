parameters {
  real x;
}
model {
  lp__ = lp__ - x * x; // ERROR
}
