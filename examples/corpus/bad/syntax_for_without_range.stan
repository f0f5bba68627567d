data {
  int N;
}
transformed data {
  for (n = 1 : N) { // ERROR
    print(n);
  }
}
