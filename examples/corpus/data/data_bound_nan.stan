data {
  real<lower=0> x;
}
