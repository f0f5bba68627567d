data {
  real a;
}
transformed data {
  real b = a'; // ERROR
}
