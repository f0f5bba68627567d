parameters {
  real _x; // ERROR
}
