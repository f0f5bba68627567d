transformed data {
  complex_vector[2] z = [1, 2i]';
  vector[2] v = z; // ERROR
}
