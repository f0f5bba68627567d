parameters {
  real x;
}
transformed parameters {
  real y = normal_lupdf(x | 0, 1); // ERROR
}
