parameters {
  real x;
model { // ERROR
  x ~ normal(0, 1);
}
