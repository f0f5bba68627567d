data {
  int N;
}
transformed data {
  vector[N] y = make_vector(N); // ERROR
  real x = y[1];
}
parameters {
  real mu;
}
model {
  y ~ normal(mu, 1);
}
