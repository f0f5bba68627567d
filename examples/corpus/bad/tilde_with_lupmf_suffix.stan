data {
  int k;
}
parameters {
  real<lower=0> x;
}
model {
  k ~ poisson_lupmf(x); // ERROR
}
