parameters {
  real 2x; // ERROR
}
