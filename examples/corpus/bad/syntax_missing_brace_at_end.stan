parameters {
  real x;
}
model {
  for (i in 1 : 3) {
    x ~ normal(0, 1);
  } // ERROR
