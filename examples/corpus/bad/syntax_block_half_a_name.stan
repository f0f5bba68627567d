data {
  int N;
}
generated { // ERROR
  real x = N;
}
