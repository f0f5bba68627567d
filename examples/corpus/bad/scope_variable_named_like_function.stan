functions {
  real f(real x) {
    return x;
  }
}
data {
  real f;
}
transformed data {
  real y = f(1); // ERROR
}
