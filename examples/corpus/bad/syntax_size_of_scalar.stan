data {
  real[3] x; // ERROR
}
