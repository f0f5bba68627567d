parameters {
  real x;
}
model {
  x ~ normal(0, 1) + normal(0, 2); // ERROR
}
