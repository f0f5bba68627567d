data {
  real a;
}
transformed data {
  real b = a %/% 2; // ERROR
}
