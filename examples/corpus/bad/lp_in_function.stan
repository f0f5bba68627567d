functions {
  real f_lp(real x) {
    target += x;
    return x;
  }
  real g(real x) {
    return f_lp(x); // ERROR
  }
}
