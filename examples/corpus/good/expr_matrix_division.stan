// Division by a matrix from the right and from the left.
transformed data {
  matrix[2, 2] A = [[2, 1], [1, 3]];
  vector[2] b = [3, 5]';
  vector[2] x = A \ b;
  row_vector[2] y = b' / A;
  matrix[2, 2] I = A / A;
  matrix[2, 2] J = A \ A;
  if (abs(2 * x[1] + x[2] - 3) > 1e-12 || abs(y[1] + 3 * y[2] - 5) > 1e-12) {
    reject("matrix division");
  }
  if (abs(I[1, 1] - 1) > 1e-12 || abs(J[1, 2]) > 1e-12) {
    reject("matrix division");
  }
}
