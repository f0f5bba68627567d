// Powers of integers and reals are real; `.^` works elementwise.
transformed data {
  real a = 3 ^ 2;
  real b = 2.0 ^ 0.5;
  vector[3] v = [1, 2, 3]';
  vector[3] c = v .^ 2;
  vector[3] d = 2 .^ v;
  matrix[2, 2] m = [[1, 2], [3, 4]] .^ [[2, 2], [2, 0.5]];
  if (a != 9 || abs(b * b - 2) > 1e-12 || c[3] != 9 || d[3] != 8) {
    reject("powers");
  }
  if (m[2, 1] != 9 || m[2, 2] != 2) {
    reject("powers: ", m);
  }
}
