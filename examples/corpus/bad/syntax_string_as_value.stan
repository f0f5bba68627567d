transformed data {
  real x = "one"; // ERROR
}
