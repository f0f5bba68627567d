functions {
  void f(real x) {
    x ~ normal(0, 1); // ERROR
  }
}
