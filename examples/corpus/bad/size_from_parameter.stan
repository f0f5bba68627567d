parameters {
  real x;
}
transformed parameters {
  array[x > 0] real y; // ERROR
}
