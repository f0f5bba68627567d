data {
  int N;
}
transformed data {
  if (N > 3) {
    reject("too many: N is ", N);
  }
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
}
