functions {
  real f(real x) { // ERROR
    if (x > 0) {
      return x;
    }
  }
}
