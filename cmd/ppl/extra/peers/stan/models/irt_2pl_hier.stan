// Item response with two parameters an item, which are correlated over items.
data {
  int<lower=1> I, J, N;
  array[N] int<lower=1, upper=I> ii;
  array[N] int<lower=1, upper=J> jj;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[J] theta;
  array[I] vector[2] xi;
  vector[2] mu;
  vector<lower=0>[2] tau;
  cholesky_factor_corr[2] L_Omega;
}
transformed parameters {
  vector[I] alpha, beta;
  for (i in 1:I) {
    alpha[i] = exp(xi[i, 1]);
    beta[i] = xi[i, 2];
  }
}
model {
  matrix[2, 2] L_Sigma = diag_pre_multiply(tau, L_Omega);
  for (i in 1:I) xi[i] ~ multi_normal_cholesky(mu, L_Sigma);
  theta ~ normal(0, 1);
  L_Omega ~ lkj_corr_cholesky(4);
  mu[1] ~ normal(0, 1);
  tau[1] ~ exponential(0.1);
  mu[2] ~ normal(0, 5);
  tau[2] ~ exponential(0.1);
  for (n in 1:N) y[n] ~ bernoulli_logit(alpha[ii[n]] * (theta[jj[n]] - beta[ii[n]]));
}
