// Parameters of many shapes.
data {
  int<lower=1> K;
  array[K] int<lower=0> counts;
}
parameters {
  simplex[K] p;
  ordered[3] cut;
  cholesky_factor_corr[3] L;
  matrix<lower=0>[2, 3] m;
  array[2] vector[2] v;
}
transformed parameters {
  real total = sum(m);
}
model {
  counts ~ multinomial(p);
  cut ~ normal(0, 2);
  L ~ lkj_corr_cholesky(2);
  to_vector(m) ~ exponential(1);
  for (i in 1:2) {
    v[i] ~ normal(0, 1);
  }
}
generated quantities {
  array[K] int again = multinomial_rng(p, sum(counts));
  real constant = 2;
}
