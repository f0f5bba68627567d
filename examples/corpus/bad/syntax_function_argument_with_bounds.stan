functions {
  real f(real<lower=0> x) { // ERROR
    return x;
  }
}
