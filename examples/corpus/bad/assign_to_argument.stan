functions {
  real f(real x) {
    x = 2; // ERROR
    return x;
  }
}
