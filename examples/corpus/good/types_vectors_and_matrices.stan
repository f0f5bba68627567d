// Column vectors, row vectors and matrices are types of their own.
transformed data {
  vector[3] v = [1, 2, 3]';
  row_vector[3] r = v';
  matrix[3, 3] outer = v * r;
  real inner = r * v;
  vector[3] mv = outer * v;
  row_vector[3] rm = r * outer;
  matrix[3, 3] mm = outer * outer';
  if (inner != 14 || mv[1] != 14 || rm[3] != 42 || mm[2, 2] != 56) {
    reject("products: ", inner, mv, rm, mm);
  }
}
