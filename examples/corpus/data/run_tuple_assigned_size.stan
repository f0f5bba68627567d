transformed data {
  array[2] tuple(int, vector[3]) t;
  t[1] = (1, [1, 2, 3]');
  t[2] = (2, [1, 2]');
}
