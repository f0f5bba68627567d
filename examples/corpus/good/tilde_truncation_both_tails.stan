// Truncation on either side and on both, of numbers and counts; bounds may be
// parameters, and the variate a vector.
data {
  int<lower=2, upper=6> n;
  int<lower=1, upper=9> k;
  int<lower=0, upper=3> b;
  vector<lower=0.5, upper=3>[4] y;
}
parameters {
  real mu;
  real<lower=0> lambda;
  real<lower=0, upper=1> p;
  real<lower=-1> a;
  real<upper=2> c;
}
model {
  mu ~ normal(0, 1) T[, ];
  n ~ poisson(lambda) T[2, 6];
  k ~ neg_binomial_2(lambda, 2) T[1, ];
  b ~ binomial(9, p) T[, 3];
  y ~ normal(mu, 1) T[0.5, 3];
  a ~ student_t(4, mu, 1) T[-1, ];
  c ~ cauchy(mu, 1) T[, 2];
  lambda ~ gamma(2, 1);
  y[1] ~ exponential(lambda) T[0.25, a + 5];
}
