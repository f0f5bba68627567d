// Braces make arrays, brackets make row vectors and matrices.
transformed data {
  array[3] int a = {1, 10, 100};
  array[2, 3] int b = {{1, 2, 3}, {4, 5, 6}};
  array[2] real mixed = {1, 1.9};
  row_vector[2] r = [1, 2];
  vector[3] v = [3, 4, 5]';
  matrix[3, 2] m = [[1, 2], [3, 4], [5, 6]];
  matrix[3, 2] n = [r, v[1 : 2]', [2 * 3, 1 + 4]];
  array[2] vector[2] av = {[1, 2]', [3, 4]'};
  array[1, 1, 1] real deep = {{{7.5}}};
  if (b[2, 1] != 4 || mixed[1] != 1.0 || m[3, 2] != 6 || n[3, 1] != 6) {
    reject("containers");
  }
  if (av[2, 1] != 3 || deep[1, 1, 1] != 7.5 || a[3] != 100) {
    reject("containers");
  }
}
