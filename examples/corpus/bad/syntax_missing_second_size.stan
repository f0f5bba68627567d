data {
  matrix[3] m; // ERROR
}
