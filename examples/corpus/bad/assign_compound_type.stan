transformed data {
  vector[2] v = [1, 2]';
  matrix[2, 2] m = [[1, 2], [3, 4]];
  m *= v; // ERROR
}
