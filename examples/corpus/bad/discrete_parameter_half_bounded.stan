parameters {
  int<lower=0> k; // ERROR
}
