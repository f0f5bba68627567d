parameters {
  int<lower=1, upper=3> k;
  vector[k] x; // ERROR
}
