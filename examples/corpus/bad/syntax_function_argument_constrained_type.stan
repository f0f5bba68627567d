functions {
  real f(simplex x) { // ERROR
    return x[1];
  }
}
