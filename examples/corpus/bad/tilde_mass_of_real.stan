parameters {
  real x;
}
model {
  x ~ poisson(3); // ERROR
}
