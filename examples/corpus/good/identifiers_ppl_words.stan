// The words that only ppl gives a meaning to are ordinary names in Stan.
functions {
  real diagnose(real inference) {
    return inference + 1;
  }
}
data {
  int simulate;
  vector[simulate] nuts;
}
parameters {
  real inference;
  real<lower=0> fit;
}
transformed parameters {
  real method = diagnose(inference);
}
model {
  for (advi in 1 : simulate) {
    nuts[advi] ~ normal(inference, fit);
  }
  method ~ normal(0, 1);
  real bread = diagnose(fit);
  target += bread;
}
