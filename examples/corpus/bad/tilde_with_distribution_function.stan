parameters {
  real x;
}
model {
  x ~ normal_lcdf(0, 1); // ERROR
}
