transformed data {
  tuple(int, real) t = (1, 2, 3); // ERROR
}
