data {
  int N;
}
transformed data {
  real x = if_else(N > 1, 1.0, 2.0); // ERROR
}
