parameters {
  real x;
}
generated quantities {
  x ~ normal(0, 1); // ERROR
}
