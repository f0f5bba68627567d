functions {
  real f(real x) { // ERROR
    real y = x;
  }
}
