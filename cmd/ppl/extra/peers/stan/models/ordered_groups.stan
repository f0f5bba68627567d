// Ordered answers of eleven levels with effects of groups.
data {
  int<lower=1> N, K, J, D;
  array[N] int<lower=1, upper=K> y;
  array[N] int<lower=1, upper=J> group;
  matrix[N, D] X;
}
parameters {
  ordered[K - 1] c;
  vector[D] b;
  vector[J] z;
  real<lower=0> sd_group;
}
model {
  vector[N] mu = X * b;
  for (n in 1:N) mu[n] += sd_group * z[group[n]];
  c ~ student_t(3, 0, 2.5);
  b ~ normal(0, 1);
  z ~ std_normal();
  sd_group ~ student_t(3, 0, 2.5);
  for (n in 1:N) target += ordered_logistic_lpmf(y[n] | mu[n], c);
}
