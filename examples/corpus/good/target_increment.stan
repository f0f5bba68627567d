// `target +=` takes a scalar or a container, whose elements are added up.
parameters {
  real x;
  vector[3] v;
  array[2, 2] real a;
  matrix[2, 2] m;
}
model {
  target += -0.5 * x * x;
  target += -0.5 * square(v);
  target += normal_lpdf(to_array_1d(a) | 0, 1);
  target += -square(m);
  target += {-square(a[1, 1]), 0};
  target += 1;
}
