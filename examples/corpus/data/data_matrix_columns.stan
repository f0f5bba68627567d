data {
  matrix[2, 3] X;
}
