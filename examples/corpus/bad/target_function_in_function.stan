functions {
  real f(real x) {
    return x + target(); // ERROR
  }
}
