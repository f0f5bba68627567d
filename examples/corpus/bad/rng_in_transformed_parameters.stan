parameters {
  real x;
}
transformed parameters {
  real y = normal_rng(x, 1); // ERROR
}
