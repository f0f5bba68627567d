data {
  int N;
}
transformed data {
  else { // ERROR
    print(N);
  }
}
