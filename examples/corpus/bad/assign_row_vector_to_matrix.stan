transformed data {
  matrix[1, 2] m = [1, 2]; // ERROR
}
