// Autoregressive residuals within groups of a regression, in the way brms writes it.
data {
  int<lower=1> N, K, Kar;
  vector[N] Y;
  matrix[N, K] X;
  array[N] int<lower=0> J_lag;
}
parameters {
  vector[K] b;
  real Intercept;
  vector<lower=-1, upper=1>[Kar] ar;
  real<lower=0> sigma;
}
model {
  matrix[N, Kar] Err = rep_matrix(0, N, Kar);
  vector[N] err;
  vector[N] mu = rep_vector(0.0, N);
  mu += Intercept + X * b;
  for (n in 1:N) {
    err[n] = Y[n] - mu[n];
    for (i in 1:J_lag[n]) Err[n + 1, i] = err[n + 1 - i];
    mu[n] += Err[n, 1:Kar] * ar;
  }
  target += normal_lpdf(Y | mu, sigma);
  b ~ normal(0, 1);
  Intercept ~ student_t(3, 0, 2.5);
  sigma ~ student_t(3, 0, 2.5);
}
