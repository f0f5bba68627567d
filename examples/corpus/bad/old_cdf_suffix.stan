parameters {
  real x;
}
model {
  target += normal_cdf_log(x, 0, 1); // ERROR
}
