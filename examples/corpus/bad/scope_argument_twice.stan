functions {
  real f(real x, real x) { // ERROR
    return x;
  }
}
