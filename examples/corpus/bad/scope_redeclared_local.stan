parameters {
  real mu;
}
model {
  real mu = 3; // ERROR
}
