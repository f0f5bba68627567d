functions {
  real f_lpmf(real y, real mu) { // ERROR
    return y - mu;
  }
}
