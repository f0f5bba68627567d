// Occupancy of several species with unseen ones, after Dorazio and others.
functions {
  real cov_matrix_lpdf_part(vector uv, real sd1, real sd2, real rho) {
    matrix[2, 2] S;
    S[1, 1] = square(sd1);
    S[2, 2] = square(sd2);
    S[1, 2] = sd1 * sd2 * rho;
    S[2, 1] = S[1, 2];
    return multi_normal_lpdf(uv | rep_vector(0, 2), S);
  }
  real lp_observed(int x, int K, real logit_psi, real logit_theta) {
    return log_inv_logit(logit_psi) + binomial_logit_lpmf(x | K, logit_theta);
  }
  real lp_unobserved(int K, real logit_psi, real logit_theta) {
    return log_sum_exp(lp_observed(0, K, logit_psi, logit_theta), log1m_inv_logit(logit_psi));
  }
  real lp_never_observed(int J, int K, real logit_psi, real logit_theta, real Omega) {
    real lp_unavailable = bernoulli_lpmf(0 | Omega);
    real lp_available = bernoulli_lpmf(1 | Omega) + J * lp_unobserved(K, logit_psi, logit_theta);
    return log_sum_exp(lp_unavailable, lp_available);
  }
}
data {
  int<lower=1> J, K, n;
  array[n, J] int<lower=0, upper=K> x;
  int<lower=n> S;
}
parameters {
  real alpha, beta;
  real<lower=0, upper=1> Omega;
  real<lower=-1, upper=1> rho;
  real<lower=0> sd1, sd2;
  array[S] vector[2] uv;
}
transformed parameters {
  vector[S] logit_psi, logit_theta;
  for (i in 1:S) {
    logit_psi[i] = uv[i, 1] + alpha;
    logit_theta[i] = uv[i, 2] + beta;
  }
}
model {
  alpha ~ cauchy(0, 2.5);
  beta ~ cauchy(0, 2.5);
  sd1 ~ cauchy(0, 2.5);
  sd2 ~ cauchy(0, 2.5);
  (rho + 1) / 2 ~ beta(2, 2);
  for (i in 1:S) target += cov_matrix_lpdf_part(uv[i], sd1, sd2, rho);
  Omega ~ beta(2, 2);
  for (i in 1:n) {
    1 ~ bernoulli(Omega);
    for (j in 1:J) {
      if (x[i, j] > 0) target += lp_observed(x[i, j], K, logit_psi[i], logit_theta[i]);
      else target += lp_unobserved(K, logit_psi[i], logit_theta[i]);
    }
  }
  for (i in (n + 1):S) target += lp_never_observed(J, K, logit_psi[i], logit_theta[i], Omega);
}
