// An int may stand where a real is wanted, a real where a complex is; in
// containers too.
functions {
  real third(real x) {
    return x / 3;
  }
}
transformed data {
  int n = 7;
  real x = n;
  array[3] int a = {1, 2, 3};
  array[3] real b = a;
  array[2, 2] real c = {{1, 2}, {3, 4}};
  vector[2] v;
  v[1] = n;
  v[2] = 1;
  real y = third(n);
  if (b[3] != 3.0 || abs(y - 7.0 / 3) > 1e-12 || v[1] != 7 || c[2, 1] != 3) {
    reject("promotion");
  }
}
