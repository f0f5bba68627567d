transformed data {
  real a;
  vector[3] v;
  (a, v) = (1, [1, 2]');
}
