functions {
  real f(tuple(real) t) { // ERROR
    return 1;
  }
}
