// Densities, masses and distribution functions with a bar.
data {
  int<lower=0> N;
  vector[N] y;
  array[N] int<lower=0, upper=1> k;
}
parameters {
  real mu;
  real<lower=0> sigma;
}
model {
  real a = normal_lpdf(y | mu, sigma);
  a += bernoulli_lpmf(k | inv_logit(mu));
  a += std_normal_lpdf(mu | );
  a += normal_lcdf(3 | mu, sigma) - normal_lccdf(-3 | mu, sigma);
  target += a + log(normal_cdf(0 | mu, sigma));
  target += exponential_lpdf(sigma | 1 + square(mu));
}
generated quantities {
  vector[N] log_lik;
  for (n in 1 : N) {
    log_lik[n] = normal_lpdf(y[n] | mu, sigma);
  }
}
