parameters {
  real mu;
}
transformed parameters {
  real a = mu + nu; // ERROR
  real b = a * 2;
}
model {
  b ~ normal(a, 1);
}
