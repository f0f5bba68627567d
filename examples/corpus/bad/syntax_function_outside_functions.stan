transformed data {
  real f(real x) { // ERROR
    return x;
  }
}
