parameters {
  real x;
}
model {
  x ~ normal(0, 1) // ERROR
  target += -x;
}
