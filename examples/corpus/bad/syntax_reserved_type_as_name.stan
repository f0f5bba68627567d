parameters {
  real vector; // ERROR
}
