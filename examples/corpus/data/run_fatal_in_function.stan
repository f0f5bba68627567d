functions {
  real check(real x) {
    if (x < 0) {
      fatal_error("negative: ", x);
    }
    return x;
  }
}
transformed data {
  real x = check(-2);
}
