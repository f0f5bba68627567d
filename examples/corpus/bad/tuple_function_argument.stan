functions {
  real f(tuple(int, real) t) {
    return t.2;
  }
}
transformed data {
  real x = f((1.5, 2)); // ERROR
}
