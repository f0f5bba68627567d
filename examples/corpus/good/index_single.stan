// One index a dimension, in one pair of brackets or in several.
transformed data {
  array[2, 3] matrix[2, 2] a = rep_array(rep_matrix(1, 2, 2), 2, 3);
  a[2, 3, 1, 2] = 5;
  array[3] matrix[2, 2] b = a[2];
  matrix[2, 2] c = a[2, 3];
  row_vector[2] d = a[2, 3, 1];
  real e = a[2][3][1][2] + a[2, 3][1, 2] + b[3, 1, 2] + c[1, 2] + d[2];
  real f = (a[1, 1] + c)[1, 2];
  real g = {1, 2, 3}[2] + [4, 5][1] + [[6, 7], [8, 9]][2, 1];
  if (e != 25 || f != 6 || g != 14) {
    reject("index: ", e, " ", f, " ", g);
  }
}
