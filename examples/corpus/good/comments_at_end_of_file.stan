// The file ends without an end of line.
parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
} // here