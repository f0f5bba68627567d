// A density that is not a number at any point.
parameters {
  real<lower=0> scale;
}
model {
  real shift = log(-scale);
  scale ~ exponential(1);
  target += shift;
}
