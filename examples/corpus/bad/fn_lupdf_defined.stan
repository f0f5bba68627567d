functions {
  real f_lupdf(real y, real mu) { // ERROR
    return y - mu;
  }
}
