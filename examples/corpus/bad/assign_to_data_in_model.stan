data {
  int N;
  vector[N] y;
}
model {
  y[1] = 0; // ERROR
}
