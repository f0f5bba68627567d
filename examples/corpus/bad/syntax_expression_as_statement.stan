transformed data {
  int n = 1;
  n + 1; // ERROR
}
