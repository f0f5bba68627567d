// Ranges that are open, empty, reversed in order; lists of positions with repeats.
transformed data {
  vector[5] v = [1, 2, 3, 4, 5]';
  matrix[3, 3] m = [[1, 2, 3], [4, 5, 6], [7, 8, 9]];
  array[2, 3] int a = {{1, 2, 3}, {4, 5, 6}};
  if (size(v[3:2]) != 0 || size(v[:0]) != 0 || sum(v[4:]) != 9 || sum(v[:2]) != 3 || sum(v[:]) != 15) {
    reject("ranges");
  }
  if (sum(v[{1, 1, 5}]) != 7) {
    reject("lists");
  }
  if (m[2:3, 2:3][2, 1] != 8 || m[{3, 1}, 2][1] != 8 || sum(m[, 1]) != 12 || m[2][3] != 6 || cols(m[1:0]) != 3) {
    reject("matrices");
  }
  if (a[:, 2][2] != 5 || a[2, 2:][1] != 5 || size(a[{2, 2, 1}]) != 3) {
    reject("arrays");
  }
  v[2:3] = v[{3, 2}];
  m[1:2, 1:2] = m[2:3, 2:3];
  m[, 3] = [0, 0, 0]';
  if (v[2] != 3 || v[3] != 2 || m[1, 1] != 5 || m[2, 2] != 9 || sum(m[, 3]) != 0) {
    reject("assignment to slices");
  }
}
