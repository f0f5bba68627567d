parameters {
  real x;
}
model {
  x ~ normal_lpdf(0, 1); // ERROR
}
