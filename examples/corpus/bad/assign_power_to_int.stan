transformed data {
  int n = 2 ^ 3; // ERROR
}
