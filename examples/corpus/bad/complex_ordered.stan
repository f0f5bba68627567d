transformed data {
  int less = 1i < 2i; // ERROR
}
