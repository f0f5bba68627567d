parameters {
  real x;
}
model {
  x ~ normal(normal_rng(0, 1), 1); // ERROR
}
