data {
  real<lower=1 > 0> x; // ERROR
}
