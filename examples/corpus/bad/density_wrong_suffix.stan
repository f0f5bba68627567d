parameters {
  real x;
}
model {
  target += normal_lpmf(x | 0, 1); // ERROR
}
