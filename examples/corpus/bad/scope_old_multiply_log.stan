transformed data {
  real x = multiply_log(1, 2); // ERROR
}
