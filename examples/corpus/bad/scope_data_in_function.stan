functions {
  real f(real x) {
    return x + N; // ERROR
  }
}
data {
  int N;
}
