data {
  vector[2] low;
  real<lower=low> x; // ERROR
}
