// foreach visits the rows of arrays, and single numbers of vectors and matrices, the
// latter column by column.
transformed data {
  array[2, 3] int a = {{1, 2, 3}, {4, 5, 6}};
  matrix[2, 2] m = [[1, 2], [3, 4]];
  row_vector[3] r = [1, 2, 3];
  array[2] matrix[2, 2] ms = {m, 2 * m};
  array[2] tuple(int, real) ts = {(1, 2.5), (3, 4.5)};
  complex_row_vector[2] z = [1i, 2i];
  int n = 0;
  real s = 0;
  array[4] real seen;
  for (row in a) {
    for (x in row) {
      n = 10 * n + x;
    }
  }
  if (n != 123456) {
    reject("rows of arrays: ", n);
  }
  n = 0;
  for (x in m) {
    n += 1;
    seen[n] = x;
  }
  if (seen[2] != 3 || seen[3] != 2) {
    reject("matrices go by column");
  }
  for (x in r) {
    s += x;
  }
  for (x in ms) {
    s += x[2, 2];
  }
  for (t in ts) {
    s += t.1 * t.2;
  }
  for (x in z) {
    s += get_imag(x);
  }
  for (x in m') {
    s += x;
  }
  if (s != 6 + 12 + 16 + 3 + 10) {
    reject("foreach: ", s);
  }
}
