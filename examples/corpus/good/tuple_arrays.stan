// Arrays of tuples: elements, fields of elements, whole arrays.
functions {
  array[] tuple(int, real) pairs(int n) {
    array[n] tuple(int, real) out;
    for (i in 1:n) {
      out[i] = (i, i / 2.0);
    }
    return out;
  }
  real total(array[] tuple(int, real) xs) {
    real s = 0;
    for (x in xs) {
      s += x.1 * x.2;
    }
    return s;
  }
}
transformed data {
  array[3] tuple(int, real) a = pairs(3);
  array[2, 2] tuple(vector[2], array[2] int) grid;
  array[3] tuple(int, real) copied;
  if (total(a) != 7 || a[2].2 != 1 || size(a[2:3]) != 2 || a[{3, 1}][1].1 != 3) {
    reject("arrays of tuples");
  }
  for (i in 1:2) {
    for (j in 1:2) {
      grid[i, j] = ([i, j]', {i, j});
    }
  }
  grid[2, 1].1[2] = 10;
  grid[1, 2].2[1] += 5;
  if (grid[2, 1].1[2] != 10 || grid[1][2].2[1] != 6) {
    reject("arrays of tuples");
  }
  copied = a;
  copied[1].2 = 9;
  (copied[2].1, copied[2].2) = (7, 8);
  if (a[1].2 != 0.5 || copied[1].2 != 9 || copied[2].1 != 7) {
    reject("arrays of tuples");
  }
}
