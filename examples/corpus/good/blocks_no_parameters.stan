// Nothing to infer: only generated quantities, drawn anew each time.
data {
  int<lower=1> N;
}
transformed data {
  real total = 0;
  for (n in 1 : N) {
    total += n;
  }
}
generated quantities {
  real u = uniform_rng(0, total);
  int<lower=0> k = poisson_rng(total);
}
