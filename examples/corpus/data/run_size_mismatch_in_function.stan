functions {
  real f(vector a, vector b) {
    return dot_product(a, b);
  }
}
transformed data {
  real x = f([1, 2, 3]', [1, 2]');
}
