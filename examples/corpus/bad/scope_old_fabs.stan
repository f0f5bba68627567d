transformed data {
  real x = fabs(-1.0); // ERROR
}
