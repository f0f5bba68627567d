transformed data {
  int n = 1;
  n++; // ERROR
}
