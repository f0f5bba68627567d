functions {
  real f_lpdf() { // ERROR
    return 1;
  }
}
