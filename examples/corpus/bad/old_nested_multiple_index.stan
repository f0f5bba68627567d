transformed data {
  matrix[2, 2] a = [[1, 2], [3, 4]];
  a[ : ][1] = [5, 6]; // ERROR
}
