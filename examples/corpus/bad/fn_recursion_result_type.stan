functions {
  int f(int n) {
    return n == 0 ? 1 : 0.5 * f(n - 1); // ERROR
  }
}
