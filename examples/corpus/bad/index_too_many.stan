data {
  matrix[2, 2] m;
}
transformed data {
  real y = m[1, 2, 1]; // ERROR
}
