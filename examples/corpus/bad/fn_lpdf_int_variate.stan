functions {
  real f_lpdf(int y, real mu) { // ERROR
    return y - mu;
  }
}
