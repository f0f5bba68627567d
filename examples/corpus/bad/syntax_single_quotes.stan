data {
  int N;
}
transformed data {
  print('N', N); // ERROR
}
