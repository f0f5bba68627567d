parameters {
  real x;
}
transformed parameters {
  real y = x;
}
model {
  y = 2; // ERROR
}
