transformed data {
  real x = 1;
  real y = 2;
  x + y = 3; // ERROR
}
