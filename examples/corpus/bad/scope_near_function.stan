parameters {
  real mu;
}
model {
  target += -sqaure(mu); // ERROR
}
