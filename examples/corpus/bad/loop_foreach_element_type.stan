transformed data {
  int n = 0;
  for (x in [1, 2]) {
    n += x; // ERROR
  }
}
