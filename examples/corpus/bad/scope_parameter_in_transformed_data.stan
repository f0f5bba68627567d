parameters {
  real mu;
}
transformed parameters {
  real nu = mu;
}
model {
  real local = mu;
  target += -local;
}
generated quantities {
  real z = local; // ERROR
}
