parameters {
  real mu;
}
model {
  if (mu < 100) {
    reject("no start is good enough");
  }
  mu ~ normal(0, 1);
}
