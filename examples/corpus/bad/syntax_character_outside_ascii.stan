parameters {
  real µ; // ERROR
}
