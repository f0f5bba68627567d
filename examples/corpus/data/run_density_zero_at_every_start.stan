parameters {
  real mu;
}
model {
  mu ~ uniform(100, 101);
}
