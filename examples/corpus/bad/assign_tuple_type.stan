transformed data {
  tuple(int, real) t = (1.5, 2); // ERROR
}
