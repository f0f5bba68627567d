// Returns with changing volatility and long tails.
data {
  int<lower=1> T;
  vector[T] r;
  real<lower=0> sigma1;
}
parameters {
  real mu;
  real<lower=0> alpha0;
  real<lower=0, upper=1> alpha1;
  real<lower=0, upper=1 - alpha1> beta1;
  real<lower=2> nu;
}
transformed parameters {
  array[T] real<lower=0> sigma;
  sigma[1] = sigma1;
  for (t in 2:T)
    sigma[t] = sqrt(alpha0 + alpha1 * pow(r[t - 1] - mu, 2) + beta1 * pow(sigma[t - 1], 2));
}
model {
  nu ~ gamma(2, 0.1);
  for (t in 1:T) r[t] ~ student_t(nu, mu, sigma[t] * sqrt((nu - 2) / nu));
}
