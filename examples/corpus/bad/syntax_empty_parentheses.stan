transformed data {
  real a = (); // ERROR
}
