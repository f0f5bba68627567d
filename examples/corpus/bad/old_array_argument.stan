functions {
  real total(real[] x) { // ERROR
    return sum(x);
  }
}
