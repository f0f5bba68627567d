functions {
  real f(real x) {
    target += x; // ERROR
    return x;
  }
}
