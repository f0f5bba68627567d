// Several elements at once on the left: ranges, all, and lists of indices.
transformed data {
  vector[6] v = rep_vector(0, 6);
  array[4] int a = {1, 2, 3, 4};
  matrix[3, 3] m = rep_matrix(0, 3, 3);
  array[2] int idx = {3, 1};
  v[2 : 4] = [1, 2, 3]';
  v[5 : ] = [7, 8]';
  v[ : 1] = [9]';
  v[idx] = [30, 10]';
  a[{4, 1}] = {40, 10};
  m[idx, 2] = [5, 6]';
  m[2, idx] = [7, 8];
  m[1 : 2, 1 : 2] = [[1, 2], [3, 4]];
  m[{3}, {3, 1}] = [[33, 31]];
  if (v[1] != 10 || v[2] != 1 || v[3] != 30 || v[4] != 3 || v[6] != 8) {
    reject("multiple index: ", v);
  }
  if (a[4] != 40 || a[1] != 10 || a[2] != 2) {
    reject("multiple index: ", a);
  }
  if (m[3, 2] != 5 || m[1, 2] != 2 || m[2, 3] != 7 || m[2, 1] != 3
      || m[3, 1] != 31 || m[3, 3] != 33) {
    reject("multiple index: ", m);
  }
}
