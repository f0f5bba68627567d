functions {
  int f(int n) {
    return n;
  }
}
transformed data {
  int y = f(2.0); // ERROR
}
