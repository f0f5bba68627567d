// Signs and negation on numbers and containers.
transformed data {
  vector[2] v = [1, -2]';
  vector[2] a = -v;
  matrix[1, 2] m = -[[1, 2]];
  array[2] int k = {-1, +2};
  real x = +3;
  if (a[2] != 2 || m[1, 2] != -2 || k[1] + k[2] != 1 || x != 3 || !1 != 0) {
    reject("unary operators");
  }
  if (!0.5 != 0) {
    reject("! on a real");
  }
}
