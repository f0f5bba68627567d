parameters {
  real x;
}
transformed parameters {
  tuple(real, int) t = (x, 1); // ERROR
}
