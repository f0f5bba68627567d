transformed data {
  real x = frobnicate(3); // ERROR
}
