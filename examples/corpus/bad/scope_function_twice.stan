functions {
  real f(real x) {
    return x;
  }
  real f(real y) { // ERROR
    return y;
  }
}
