data {
  real s;
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, s);
}
