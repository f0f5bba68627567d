parameters {
  real model; // ERROR
}
