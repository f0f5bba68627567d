transformed data {
  vector[2] v = [1, 2]';
  real x = v; // ERROR
}
