transformed data {
  real x = 1;
  return x; // ERROR
}
