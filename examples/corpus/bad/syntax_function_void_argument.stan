functions {
  real f(void x) { // ERROR
    return 1;
  }
}
