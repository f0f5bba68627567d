// `[]` and `[:]` mean all, and an empty range means none.
transformed data {
  vector[3] v;
  v[] = [1, 2, 3]';
  v[ : ] = v + 1;
  v[3 : 2] = rep_vector(0, 0);
  matrix[2, 2] m;
  m[ : , : ] = [[1, 2], [3, 4]];
  m[ : , 1] += 10;
  array[2, 2] int a;
  a[ : ] = {{1, 2}, {3, 4}};
  a[ : , 2] = {7, 8};
  if (sum(v) != 9 || m[2, 1] != 13 || a[2, 2] != 8 || a[2, 1] != 3) {
    reject("all: ", v, m, a);
  }
}
