// A tuple may be taken apart by an assignment, nested ones too.
functions {
  tuple(real, real) swap(real a, real b) {
    return (b, a);
  }
}
transformed data {
  int i;
  real x, y;
  complex z;
  vector[3] v = rep_vector(0, 3);
  tuple(int, tuple(real, real), complex) t = (1, (2, 3), 4i);
  (i, (x, y), z) = t;
  (x, y) = swap(x, y);
  (v[2 : 3], i) = ([8, 9]', i + 1);
  if (i != 2 || x != 3 || y != 2 || get_imag(z) != 4 || sum(v) != 17) {
    reject("unpacking: ", x, " ", y, " ", v);
  }
}
