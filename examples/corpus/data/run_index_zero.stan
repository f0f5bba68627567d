data {
  array[2] real y;
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
  for (n in 1 : 2) {
    y[n] ~ normal(mu + y[n - 1], 1);
  }
}
