transformed data {
  int n = 1.5; // ERROR
}
