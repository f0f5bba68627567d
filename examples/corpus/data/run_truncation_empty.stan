parameters {
  real x;
}
model {
  x ~ normal(0, 1) T[3, 2];
}
