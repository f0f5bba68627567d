// Decompositions give tuples, which are taken apart at once or by field.
transformed data {
  matrix[2, 2] a = [[4, 1], [1, 3]];
  matrix[2, 2] q;
  matrix[2, 2] r;
  (q, r) = qr_thin(a);
  if (max(abs(q * r - a)) > 1e-12) {
    reject("qr");
  }
  tuple(matrix[2, 2], vector[2]) e = eigendecompose_sym(a);
  if (max(abs(e.1 * diag_matrix(e.2) * e.1' - a)) > 1e-12) {
    reject("eigendecomposition");
  }
  if (abs(svd(a).2[1] * svd(a).2[2] - 11) > 1e-12) {
    reject("svd");
  }
  matrix[2, 2] u;
  vector[2] d;
  matrix[2, 2] v;
  (u, d, v) = svd(a);
  if (max(abs(u * diag_matrix(d) * v' - a)) > 1e-12) {
    reject("svd");
  }
}
