parameters {
  real x__; // ERROR
}
