parameters {
  real true; // ERROR
}
