data {
  vector[3] a;
  matrix[3, 3] b;
}
transformed data {
  vector[3] c = a * b; // ERROR
}
