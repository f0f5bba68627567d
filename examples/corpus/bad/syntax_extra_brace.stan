parameters {
  real x;
}
}  // ERROR
model {
  x ~ normal(0, 1);
}
