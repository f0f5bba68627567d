transformed data {
  vector[2] v = [1, 2]';
  row_vector[2] r;
  r = v; // ERROR
}
