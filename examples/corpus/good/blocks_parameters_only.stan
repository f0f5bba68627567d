// Without a model block the density is flat on the declared support.
parameters {
  real<lower=0, upper=1> p;
  simplex[3] q;
}
