transformed data {
  array[2] tuple(int, real) a = {(1, 2.5), (1, [2]')}; // ERROR
}
