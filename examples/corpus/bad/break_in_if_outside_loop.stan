data {
  int N;
}
transformed data {
  for (n in 1 : N) {
    print(n);
  }
  if (N > 3) {
    break; // ERROR
  }
}
