data {
  int N;
}
transformed data {
  for (i in N) { // ERROR
    print(i);
  }
}
