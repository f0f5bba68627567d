// The six compound assignments.
transformed data {
  real x = 5;
  x += 7;
  x -= 2;
  x *= 3;
  x /= 4;
  int n = 17;
  n += 1;
  n *= 2;
  n -= 3;
  n /= 2;
  vector[3] v = [1, 2, 3]';
  v += 1;
  v *= 2;
  v .*= [1, 10, 100]';
  v ./= [2, 2, 2]';
  v[2] -= 5;
  v[1 : 2] /= 2;
  matrix[2, 2] m = [[1, 2], [3, 4]];
  m *= m;
  m[1] += [1, 1];
  if (x != 7.5 || n != 16 || v[1] != 1 || v[2] != 12.5 || v[3] != 400) {
    reject("compound: ", x, " ", n, " ", v);
  }
  if (m[1, 1] != 8 || m[1, 2] != 11 || m[2, 2] != 22) {
    reject("compound: ", m);
  }
}
