data {
  int N;
  real y[N]; // ERROR
}
parameters {
  real mu;
}
model {
  y ~ normal(mu, 1);
}
