transformed data {
  real x = 1.2.3; // ERROR
}
