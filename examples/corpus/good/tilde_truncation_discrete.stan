// A truncated count.
data {
  int<lower=1> N;
  array[N] int<lower=1> k;
}
parameters {
  real<lower=0> lambda;
}
model {
  lambda ~ exponential(1);
  for (n in 1 : N) {
    k[n] ~ poisson(lambda) T[1, ];
  }
}
