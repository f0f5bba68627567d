transformed data {
  real x = 1;
  exp(x) = 3; // ERROR
}
