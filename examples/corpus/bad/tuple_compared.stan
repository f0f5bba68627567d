transformed data {
  int same = (1, 2) == (1, 2); // ERROR
}
