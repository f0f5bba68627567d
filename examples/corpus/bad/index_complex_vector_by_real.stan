transformed data {
  vector[3] v = [1, 2, 3]';
  real x = v[1.0]; // ERROR
}
