// A covariance matrix of ten variables under an inverse Wishart prior.
data {
  int<lower=1> N, D;
  array[N] vector[D] y;
  cov_matrix[D] S;
}
parameters {
  vector[D] mu;
  cov_matrix[D] Sigma;
}
model {
  mu ~ normal(0, 5);
  Sigma ~ inv_wishart(D + 2.0, S);
  y ~ multi_normal(mu, Sigma);
}
