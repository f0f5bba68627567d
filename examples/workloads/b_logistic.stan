// Workload B: logistic regression with 10,000 rows and 20 columns. Measures
// matrix times vector and a long vectorised density. Its data are generated
// by the benchmark: X and beta standard normal, y from the model.
data {
  int<lower=1> N;
  int<lower=1> D;
  matrix[N, D] X;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[D] beta;
}
model {
  beta ~ normal(0, 1);
  y ~ bernoulli_logit(X * beta);
}
