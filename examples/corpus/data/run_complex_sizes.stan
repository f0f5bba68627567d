transformed data {
  complex_vector[2] z = [1, 1i]';
  complex_vector[3] w = z;
}
