// Indexing and products of complex containers.
transformed data {
  complex_matrix[2, 2] m = [[1, 1i], [-1i, 2]];
  complex_vector[2] v = [1i, 1]';
  complex_vector[2] mv = m * v;
  complex_row_vector[2] r = m[2];
  complex z = m[1, 2];
  complex_vector[2] col = m[ : , 2];
  complex_matrix[1, 2] sub = m[1 : 1, ];
  m[1, 1] = 5;
  m[2] = r;
  if (get_imag(mv[1]) != 2 || get_real(mv[2]) != 3 || get_imag(z) != 1) {
    reject("complex matrices: ", mv);
  }
  if (get_real(col[2]) != 2 || get_imag(r[1]) != -1 || get_imag(sub[1, 2]) != 1) {
    reject("complex matrices");
  }
}
