data {
  int N;
}
data { // ERROR
  int M;
}
