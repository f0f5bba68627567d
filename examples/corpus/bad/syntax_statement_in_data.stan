data {
  int N;
  print(N); // ERROR
}
