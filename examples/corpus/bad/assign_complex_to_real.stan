transformed data {
  real x = 2i; // ERROR
}
