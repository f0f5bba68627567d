functions {
  real part(array[] real xs, int start, real end) {
    return 0;
  }
}
model {
  target += reduce_sum(part, {1.0, 2.0}, 1); // ERROR
}
