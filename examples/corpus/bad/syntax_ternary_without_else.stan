data {
  int N;
}
transformed data {
  int k = N > 1 ? 2; // ERROR
}
