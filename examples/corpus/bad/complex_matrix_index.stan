transformed data {
  complex_matrix[2, 2] m = rep_matrix(0, 2, 2);
  vector[2] v = m[1]'; // ERROR
}
