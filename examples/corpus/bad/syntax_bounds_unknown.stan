parameters {
  real<min=0> x; // ERROR
}
