// Complex vectors, row vectors and matrices.
transformed data {
  complex_vector[3] v = [1 + 2i, 3 - 1.7i, 0]';
  complex_row_vector[2] r = [12, -2i];
  complex_matrix[2, 3] m = [[1 + 2i, 3 - 1.7i, 0], [3.9 - 1.234i, 176i, 1 + 1i]];
  vector[3] real_part = [1, 2, 3]';
  complex_vector[3] promoted = real_part;
  complex_matrix[2, 2] zero = rep_matrix(0, 2, 2);
  complex_row_vector[3] row = m[2];
  if (get_imag(v[1]) != 2 || get_real(row[1]) != 3.9) {
    reject("complex containers");
  }
  if (get_real(promoted[3]) != 3 || get_imag(r[2]) != -2) {
    reject("complex containers");
  }
}
