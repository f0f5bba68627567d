functions {
  real f(real x) {
    if (x > 1) {
      return; // ERROR
    }
    return x;
  }
}
