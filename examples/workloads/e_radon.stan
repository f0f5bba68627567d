// Workload E: varying intercepts over groups, non-centred. Measures gathering
// by an index and its reverse, scattering.
data {
  int<lower=1> N;
  int<lower=1> J; // groups
  array[N] int<lower=1, upper=J> group;
  vector[N] x;
  vector[N] y;
}
parameters {
  vector[J] alpha_trans;
  real beta;
  real mu;
  real<lower=0> tau;
  real<lower=0> sigma;
}
transformed parameters {
  vector[J] alpha = mu + tau * alpha_trans;
}
model {
  alpha_trans ~ std_normal();
  beta ~ normal(0, 10);
  mu ~ normal(0, 10);
  tau ~ normal(0, 1);
  sigma ~ normal(0, 1);
  y ~ normal(alpha[group] + beta * x, sigma);
}
