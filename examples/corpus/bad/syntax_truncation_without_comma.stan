parameters {
  real<lower=0> x;
}
model {
  x ~ normal(0, 1) T[0]; // ERROR
}
