data {
  row_vector[3] a;
  row_vector[3] b;
}
transformed data {
  real c = a * b; // ERROR
}
