parameters {
  real<lower=b> a; // ERROR
  real b;
}
