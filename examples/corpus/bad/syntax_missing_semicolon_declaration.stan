data {
  int N // ERROR
  vector[N] y;
}
