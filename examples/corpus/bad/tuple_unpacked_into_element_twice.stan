transformed data {
  real a;
  (a, a) = (1, 2); // ERROR
}
