functions {
  real f(real x) {
    jacobian += x; // ERROR
    return exp(x);
  }
}
