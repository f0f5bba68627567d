// Affine transforms, on scalars and containers, in all combinations.
data {
  int<lower=1> N;
  vector<lower=0>[N] scales;
}
parameters {
  real mu;
  real<lower=0> tau;
  real<offset=mu> a;
  real<multiplier=tau> b;
  real<offset=mu, multiplier=tau> c;
  real<multiplier=tau, offset=mu> d;
  vector<offset=mu, multiplier=tau>[N] theta;
  vector<offset=theta, multiplier=scales>[N] eta;
  row_vector<multiplier=2>[3] r;
  matrix<offset=-42>[2, 2] m;
  array[3] real<offset=1, multiplier=2> x;
}
model {
  mu ~ normal(0, 1);
  tau ~ exponential(1);
  {a, b, c, d} ~ normal(mu, tau);
  theta ~ normal(mu, tau);
  eta ~ normal(theta, scales);
  r ~ normal(0, 2);
  to_vector(m) ~ normal(-42, 1);
  x ~ normal(1, 2);
}
