parameters {
  real x;
}
generated quantities {
  target += x; // ERROR
}
