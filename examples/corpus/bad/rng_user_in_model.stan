functions {
  real f_rng(real x) {
    return normal_rng(x, 1);
  }
}
parameters {
  real x;
}
model {
  target += f_rng(x); // ERROR
}
