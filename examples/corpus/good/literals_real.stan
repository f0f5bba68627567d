// Reals: with a point, with an exponent, or both.
transformed data {
  array[10] real x = {0.0, 1., .5, 3.14, 2.7e3, -2E-5, 1.23e+3, 1e10, 5E0, 1e-320};
  if (x[3] != 0.5 || x[5] != 2700 || x[6] != -0.00002 || x[7] != 1230) {
    reject("real literals: ", x);
  }
  if (x[9] != 5 || x[8] != 10000000000.0 || x[10] <= 0) {
    reject("real literals: ", x);
  }
}
