functions {
  real f(vector x) {
    return sum(x);
  }
}
transformed data {
  real y = f(1); // ERROR
}
