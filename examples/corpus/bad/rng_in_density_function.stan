functions {
  real f_lpdf(real y, real x) {
    return y + normal_rng(x, 1); // ERROR
  }
}
