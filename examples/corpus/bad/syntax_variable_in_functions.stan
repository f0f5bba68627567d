functions {
  real x; // ERROR
}
