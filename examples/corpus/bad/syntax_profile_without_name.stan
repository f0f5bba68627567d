parameters {
  real x;
}
model {
  profile(prior) { // ERROR
    x ~ normal(0, 1);
  }
}
