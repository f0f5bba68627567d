transformed data {
  real a, b;
  (a, b) = 3; // ERROR
}
