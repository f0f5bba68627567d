transformed data {
  int n = 3;
  n *= 0.5; // ERROR
}
