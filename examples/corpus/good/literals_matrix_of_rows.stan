// A matrix is made of rows, which may be variables or any row vectors.
transformed data {
  row_vector[3] top = [1, 2, 3];
  matrix[3, 3] m = [top, 2 * top, [0, 0, 1]];
  matrix[1, 2] single = [[5, 6]];
  matrix[2, 2] nested = [[m[1, 1], m[1, 2]], [m[2, 1], m[2, 2]]];
  complex_matrix[2, 2] z = [[1, 2i], [3, 4]];
  if (m[2, 3] != 6 || single[1, 2] != 6 || nested[2, 1] != 2 || get_imag(z[1, 2]) != 2) {
    reject("matrix literal");
  }
  if (rows([top, top]) != 2 || cols([top, top]) != 3) {
    reject("matrix literal");
  }
}
