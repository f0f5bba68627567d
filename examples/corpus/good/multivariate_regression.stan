// Correlated varying effects with a Cholesky factor, from arrays of vectors.
data {
  int<lower=1> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> group;
  array[N] row_vector[2] x;
  array[N] real y;
}
parameters {
  matrix[2, J] z;
  cholesky_factor_corr[2] L;
  vector<lower=0>[2] tau;
  row_vector[2] gamma;
  real<lower=0> sigma;
}
transformed parameters {
  array[J] vector[2] beta;
  {
    matrix[2, J] b = diag_pre_multiply(tau, L) * z;
    for (j in 1 : J) {
      beta[j] = gamma' + b[ : , j];
    }
  }
}
model {
  to_vector(z) ~ std_normal();
  L ~ lkj_corr_cholesky(2);
  tau ~ cauchy(0, 2.5);
  gamma ~ normal(0, 5);
  sigma ~ exponential(1);
  {
    vector[N] mu;
    for (n in 1 : N) {
      mu[n] = x[n] * beta[group[n]];
    }
    y ~ normal(mu, sigma);
  }
}
