// A logistic regression with more predictors than observations, regularised horseshoe prior.
data {
  int<lower=1> N, D;
  array[N] int<lower=0, upper=1> y;
  matrix[N, D] x;
  real<lower=0> scale_global, slab_scale, slab_df;
}
parameters {
  real beta0;
  vector[D] z;
  real<lower=0> tau, caux;
  vector<lower=0>[D] lambda;
}
transformed parameters {
  real c = slab_scale * sqrt(caux);
  vector<lower=0>[D] lambda_tilde = sqrt(c ^ 2 * square(lambda) ./ (c ^ 2 + tau ^ 2 * square(lambda)));
  vector[D] beta = z .* lambda_tilde * tau;
}
model {
  z ~ normal(0, 1);
  lambda ~ student_t(1, 0, 1);
  tau ~ student_t(1, 0, scale_global);
  caux ~ inv_gamma(0.5 * slab_df, 0.5 * slab_df);
  beta0 ~ normal(0, 5);
  y ~ bernoulli_logit_glm(x, beta0, beta);
}
