functions {
  real f(real x) {
    real x = 2; // ERROR
    return x;
  }
}
