transformed data {
  real y = exp + 1; // ERROR
}
