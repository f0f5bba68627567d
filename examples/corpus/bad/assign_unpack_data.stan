data {
  real a;
}
transformed data {
  real b;
  (b, a) = (1, 2); // ERROR
}
