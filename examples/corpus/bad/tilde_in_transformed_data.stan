data {
  real x;
}
transformed data {
  x ~ normal(0, 1); // ERROR
}
