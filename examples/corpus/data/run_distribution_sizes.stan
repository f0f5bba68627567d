data {
  int n;
  vector[n] y;
}
parameters {
  vector[3] mu;
}
model {
  mu ~ normal(0, 1);
  y ~ normal(mu, 1);
}
