data {
  real<lower=0, upper=1> p;
}
