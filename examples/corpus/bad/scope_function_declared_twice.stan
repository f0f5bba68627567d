functions {
  real f(real x);
  real f(real x); // ERROR
  real f(real x) {
    return x;
  }
}
