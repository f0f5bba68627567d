// Elements, rows, columns and subarrays on the left.
transformed data {
  array[2, 3] real a = rep_array(0.0, 2, 3);
  array[3] real b = {1, 2, 3};
  matrix[2, 3] m = rep_matrix(0, 2, 3);
  array[2] matrix[2, 2] am = rep_array(rep_matrix(0, 2, 2), 2);
  a[2] = b;
  a[1, 3] = 9;
  a[1][1] = 8;
  m[1] = [4, 5, 6];
  m[2, 2] = 7;
  m[ : , 3] = [10, 11]';
  am[2] = [[1, 2], [3, 4]];
  am[1, 2] = [5, 6];
  am[1, 1, 2] = 12;
  if (a[2, 3] != 3 || a[1, 1] != 8 || a[1, 3] != 9 || a[1, 2] != 0) {
    reject("parts: ", a);
  }
  if (m[1, 1] != 4 || m[1, 3] != 10 || m[2, 3] != 11 || m[2, 1] != 0) {
    reject("parts: ", m);
  }
  if (am[2, 2, 1] != 3 || am[1, 2, 2] != 6 || am[1, 1, 2] != 12) {
    reject("parts: ", am);
  }
}
