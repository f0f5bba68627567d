transformed data {
  real a;
  real b;
  (1 ? a : b) = 2; // ERROR
}
