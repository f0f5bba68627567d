data {
  int N;
}
transformed data {
  if (N > 1) {
    int k = 2;
  }
  print(k); // ERROR
}
