functions {
  real f(x) { // ERROR
    return x;
  }
}
