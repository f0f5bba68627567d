// Single and multiple indices of a matrix give numbers, vectors and matrices.
transformed data {
  matrix[3, 4] m = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]];
  array[2] int ii = {3, 1};
  row_vector[4] a = m[2];
  matrix[2, 4] b = m[ii];
  row_vector[2] c = m[2, ii];
  vector[2] d = m[ii, 2];
  matrix[2, 2] e = m[ii, ii];
  vector[3] f = m[ : , 4];
  row_vector[3] g = m[1, 2 : ];
  matrix[2, 3] h = m[2 : , : 3];
  matrix[3, 4] i = m[ : , : ];
  vector[2] j = m[2 : 3, 1];
  real k = m[2 : 3][1, 4];
  row_vector[4] l = m[ii][2];
  if (a[4] != 8 || b[1, 1] != 9 || c[1] != 7 || d[1] != 10 || e[1, 2] != 9) {
    reject("matrix slices");
  }
  if (f[3] != 12 || g[3] != 4 || h[2, 3] != 11 || i[3, 1] != 9 || j[2] != 9) {
    reject("matrix slices");
  }
  if (k != 8 || l[2] != 2) {
    reject("matrix slices");
  }
}
