// Taking tuples apart: into elements, slices, fields, nested patterns; swapping.
functions {
  tuple(real, vector, array[] int) three() {
    return (1.5, [2, 3]', {4, 5});
  }
}
transformed data {
  real a = 1;
  real b = 2;
  vector[3] v;
  array[2, 2] int k;
  tuple(int, real) t;
  (a, b) = (b, a);
  if (a != 2 || b != 1) {
    reject("swap");
  }
  (a, v[2:3], k[1]) = three();
  (v[1], t.1) = (9, 3);
  ((a, b), t.2) = ((7, 8), 6);
  if (v[1] != 9 || v[3] != 3 || k[1, 2] != 5 || a != 7 || b != 8 || t.1 != 3 || t.2 != 6) {
    reject("unpacking");
  }
}
