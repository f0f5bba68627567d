parameters {
  real mu;
}
model {
  if (mu < 100) {
    fatal_error("stop at once, mu is below ", 100);
  }
  mu ~ normal(0, 1);
}
