transformed data {
  tuple(int, vector[3]) t = (1, [1, 2]');
}
