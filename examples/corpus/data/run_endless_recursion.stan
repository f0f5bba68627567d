functions {
  real f(real x) {
    return 1 + f(x + 1);
  }
}
transformed data {
  real y = f(1);
}
