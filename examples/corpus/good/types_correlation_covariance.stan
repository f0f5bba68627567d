// Symmetric positive definite matrices.
data {
  int<lower=1> K;
  cov_matrix[K] observed;
}
parameters {
  corr_matrix[K] Omega;
  cov_matrix[K] Sigma;
  vector<lower=0>[K] tau;
}
transformed parameters {
  cov_matrix[K] S = quad_form_diag(Omega, tau);
}
model {
  tau ~ exponential(1);
  rep_vector(0, K) ~ multi_normal(rep_vector(1, K), S);
  rep_vector(0, K) ~ multi_normal(rep_vector(1, K), Sigma + observed);
}
