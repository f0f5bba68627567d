transformed data {
  real x = binomial_coefficient_log(5, 2); // ERROR
}
