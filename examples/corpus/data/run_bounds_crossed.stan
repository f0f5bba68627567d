data {
  real low;
  real high;
}
parameters {
  real<lower=low, upper=high> x;
}
