parameters {
  real x;
}
model {
  x ~ normal_rng(0, 1); // ERROR
}
