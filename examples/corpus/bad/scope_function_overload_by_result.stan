functions {
  real f(real x) {
    return x;
  }
  int f(real x) { // ERROR
    return 1;
  }
}
