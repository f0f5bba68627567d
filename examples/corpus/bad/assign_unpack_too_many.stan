transformed data {
  real a, b, c;
  (a, b, c) = (1.0, 2.0); // ERROR
}
