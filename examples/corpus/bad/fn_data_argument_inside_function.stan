functions {
  real f(data real x) {
    return x;
  }
  real g(real x) {
    return f(x); // ERROR
  }
}
