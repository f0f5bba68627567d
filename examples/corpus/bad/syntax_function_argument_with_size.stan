functions {
  real f(vector[3] x) { // ERROR
    return x[1];
  }
}
