data {
  tuple(int, int) t;
}
transformed data {
  int k = t[1]; // ERROR
}
