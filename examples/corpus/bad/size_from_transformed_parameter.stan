parameters {
  real x;
}
transformed parameters {
  real y = x;
}
generated quantities {
  vector[to_int(y)] z; // ERROR
}
