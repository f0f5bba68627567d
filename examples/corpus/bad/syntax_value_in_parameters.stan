parameters {
  real x = 1; // ERROR
}
