functions {
  real f(real x, real y) {
    return x + y;
  }
}
transformed data {
  real y = f(1); // ERROR
}
