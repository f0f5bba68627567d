transformed data {
  matrix[2, 2] m = [[1, 2], [3, 4]];
  m[ : , 1] = [5, 6]; // ERROR
}
