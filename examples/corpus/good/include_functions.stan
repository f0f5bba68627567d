// Text may come from other files.
functions {
  #include include/distance.stan
}
#include include/data.stan  // a comment after the name
parameters {
  real mu;
}
model {
  #include "include/likelihood.stan"
  mu ~ normal(0, 1);
}
