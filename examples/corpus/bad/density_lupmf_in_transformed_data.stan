transformed data {
  real x = poisson_lupmf(3 | 2); // ERROR
}
