transformed data {
  real y = atan2(1); // ERROR
}
