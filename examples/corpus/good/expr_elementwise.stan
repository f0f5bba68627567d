// Elementwise multiplication and division, and operations with a scalar.
transformed data {
  vector[3] a = [1, 2, 3]';
  vector[3] b = [4, 5, 6]';
  row_vector[2] r = [1, 2];
  matrix[2, 2] m = [[1, 2], [3, 4]];
  vector[3] c = a .* b;
  vector[3] d = b ./ a;
  vector[3] e = 1 ./ a;
  vector[3] f = 2 * a - b / 2 + 1;
  vector[3] g = 1 - a;
  row_vector[2] h = r .* r ./ 2;
  matrix[2, 2] n = m .* m - m ./ m;
  if (c[3] != 18 || d[2] != 2.5 || e[2] != 0.5 || f[1] != 1 || g[3] != -2) {
    reject("elementwise");
  }
  if (h[2] != 2 || n[2, 2] != 15) {
    reject("elementwise");
  }
}
