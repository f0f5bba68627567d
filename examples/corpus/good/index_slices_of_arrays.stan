// Slices of arrays of arrays, vectors and matrices.
transformed data {
  array[2, 3] int a = {{1, 2, 3}, {4, 5, 6}};
  array[3] vector[2] av = {[1, 2]', [3, 4]', [5, 6]'};
  array[2] matrix[2, 2] am = {[[1, 2], [3, 4]], [[5, 6], [7, 8]]};
  array[2] int b = a[ : , 2];
  array[2, 2] int c = a[ : , {3, 1}];
  array[3] real d = av[ : , 2];
  array[2] vector[2] e = av[2 : 3];
  array[2] vector[1] f = av[{1, 3}, 2 : ];
  array[2] real g = am[ : , 2, 1];
  array[2] row_vector[2] h = am[ : , 1];
  array[2] vector[2] i = am[ : , : , 2];
  array[1] matrix[1, 2] j = am[2 : 2, 1 : 1];
  if (b[2] != 5 || c[1, 1] != 3 || d[3] != 6 || e[1, 1] != 3 || f[2, 1] != 6) {
    reject("array slices");
  }
  if (g[2] != 7 || h[2, 2] != 6 || i[1, 2] != 4 || j[1, 1, 2] != 6) {
    reject("array slices");
  }
}
