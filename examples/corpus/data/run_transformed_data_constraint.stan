transformed data {
  real x = 3;
  real<upper=2> y = x;
}
