functions {
  int f_lcdf(real y, real mu) { // ERROR
    return 1;
  }
}
