functions {
  real f(real x) {
    return normal_lupdf(x | 0, 1); // ERROR
  }
}
