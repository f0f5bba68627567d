// The right side is evaluated in full before the left side changes.
transformed data {
  vector[4] v = [1, 2, 3, 4]';
  v[2 : 4] = v[1 : 3];
  array[3] int a = {1, 2, 3};
  a = a[{3, 2, 1}];
  matrix[2, 2] m = [[1, 2], [3, 4]];
  m = m';
  m[1] = m[2] + m[1];
  if (v[1] != 1 || v[2] != 1 || v[3] != 2 || v[4] != 3) {
    reject("aliasing: ", v);
  }
  if (a[1] != 3 || a[3] != 1 || m[1, 1] != 3 || m[1, 2] != 7) {
    reject("aliasing: ", a, m);
  }
}
