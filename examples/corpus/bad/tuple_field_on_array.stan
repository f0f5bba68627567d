transformed data {
  array[2] tuple(int, real) a = {(1, 2), (3, 4)};
  int n = a.1; // ERROR
}
