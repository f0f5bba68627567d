// Ranges, open ranges, all, and lists, on vectors and arrays.
transformed data {
  vector[5] v = [1, 2, 3, 4, 5]';
  array[5] int a = {1, 2, 3, 4, 5};
  array[3] int ii = {5, 1, 1};
  int n = 2;
  if (sum(v[2 : 4]) != 9 || sum(v[4 : ]) != 9 || sum(v[ : 2]) != 3) {
    reject("ranges");
  }
  if (sum(v[ : ]) != 15 || sum(v[]) != 15 || sum(v[ii]) != 7) {
    reject("all and lists");
  }
  if (sum(a[n : n + 1]) != 5 || sum(a[ii]) != 7 || size(a[4 : 3]) != 0) {
    reject("arrays");
  }
  if (v[2 : 4][2] != 3 || v[ii][2 : ][1] != 1 || v[a[ii]][1] != 5) {
    reject("indices of slices");
  }
  if (sum(v[{1, 2}]) != 3 || sum(v'[2 : 3]) != 5) {
    reject("literals");
  }
}
