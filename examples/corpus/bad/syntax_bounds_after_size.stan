parameters {
  vector[3]<lower=0> x; // ERROR
}
