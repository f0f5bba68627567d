// Transposition binds more tightly than any other operator.
transformed data {
  vector[2] u = [1, 2]';
  row_vector[2] v = [3, 4];
  matrix[2, 3] m = [[1, 2, 3], [4, 5, 6]];
  matrix[3, 2] t = m';
  row_vector[2] w = -u';
  real x = u' * u;
  real y = v * v';
  matrix[2, 2] o = u * v;
  real q = (u - v')' * m * m' * (u - v');
  real z = m'[3, 2] + m'[1, 2] + (u'')[2];
  if (t[3, 1] != 3 || w[2] != -2 || x != 5 || y != 25 || o[2, 1] != 6) {
    reject("transposition");
  }
  if (q != 620 || z != 12) {
    reject("transposition: ", q, " ", z);
  }
}
