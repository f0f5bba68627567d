// Loops over the elements of arrays, vectors, row vectors and matrices.
transformed data {
  array[2, 3] int aa = {{1, 2, 3}, {4, 5, 6}};
  vector[3] v = [1, 2, 3]';
  matrix[2, 2] m = [[1, 2], [3, 4]];
  array[2] vector[2] av = {[1, 2]', [3, 4]'};
  int total = 0;
  real x = 0;
  for (row in aa) {
    for (k in row) {
      total = 10 * total + k;
    }
  }
  for (e in v) {
    x = 10 * x + e;
  }
  for (e in m) {
    x = 10 * x + e;
  }
  for (e in v') {
    x = 10 * x + e;
  }
  for (e in av) {
    x += e[2];
  }
  for (i in {7, 8}) {
    total += i;
  }
  if (total != 123456 + 15 || x != 1231324123 + 6) {
    reject("foreach: ", total, " ", x);
  }
}
