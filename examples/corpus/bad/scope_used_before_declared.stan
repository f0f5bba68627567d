data {
  vector[N] y; // ERROR
  int N;
}
