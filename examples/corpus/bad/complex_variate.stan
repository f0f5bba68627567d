parameters {
  complex z;
}
model {
  z ~ normal(0, 1); // ERROR
}
