// One name for scalars, vectors, arrays, tuples; the closest form is meant.
functions {
  int kind(int x) { return 1; }
  int kind(real x) { return 2; }
  int kind(complex x) { return 3; }
  int kind(vector x) { return 4; }
  int kind(array[] real x) { return 5; }
  int kind(array[] int x) { return 6; }
  int kind(tuple(real, real) x) { return 7; }
  int kind(matrix x) { return 8; }
  int kind(real x, real y) { return 9; }
  int kind(int x, int y) { return 10; }
}
transformed data {
  array[10] int k = {kind(1), kind(1.0), kind(1i), kind([1]'), kind({1.0}), kind({1}), kind((1, 2)), kind([[1]]), kind(1, 2.0), kind(1, 2)};
  for (i in 1:10) {
    if (k[i] != i) {
      reject("form ", i, " gave ", k[i]);
    }
  }
}
