transformed data {
  matrix[2, 2] m = [[1, 2], [3, 4]];
  row_vector[2] r = m[-1];
}
