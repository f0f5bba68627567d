functions {
  real up_jacobian(real x) {
    target += x; // ERROR
    return exp(x);
  }
}
