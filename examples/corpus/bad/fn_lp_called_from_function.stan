functions {
  void add_lp(real x) {
    target += x;
  }
  void f(real x) {
    add_lp(x); // ERROR
  }
}
