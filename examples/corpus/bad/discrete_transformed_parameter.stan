parameters {
  real x;
}
transformed parameters {
  int k = x > 0; // ERROR
}
