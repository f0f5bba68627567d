transformed data {
  real scale = 1;
}
parameters {
  real x;
}
model {
  scale += 1; // ERROR
  x ~ normal(0, scale);
}
