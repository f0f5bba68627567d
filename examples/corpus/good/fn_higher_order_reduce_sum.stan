// reduce_sum adds up a function over slices of its first argument.
functions {
  real partial_sum_lpmf(array[] int slice, int start, int end, vector x,
                        real alpha, real beta) {
    return bernoulli_logit_lupmf(slice | alpha + beta * x[start : end]);
  }
}
data {
  int<lower=0> N;
  array[N] int<lower=0, upper=1> y;
  vector[N] x;
}
parameters {
  real alpha;
  real beta;
}
model {
  alpha ~ normal(0, 1);
  beta ~ normal(0, 1);
  target += reduce_sum(partial_sum_lupmf, y, 1, x, alpha, beta);
}
