data {
  int N;
}
transformed data {
  if N > 3 { // ERROR
    print(N);
  }
}
