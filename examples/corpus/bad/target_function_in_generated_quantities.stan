parameters {
  real x;
}
generated quantities {
  real y = target(); // ERROR
}
