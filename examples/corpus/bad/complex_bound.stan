parameters {
  real<lower=1i> x; // ERROR
}
