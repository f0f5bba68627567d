data {
  int N;
  real N; // ERROR
}
