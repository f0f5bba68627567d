parameters {
  real my.x; // ERROR
}
