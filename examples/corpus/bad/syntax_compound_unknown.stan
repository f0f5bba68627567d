transformed data {
  real x = 1;
  x ^= 2; // ERROR
}
