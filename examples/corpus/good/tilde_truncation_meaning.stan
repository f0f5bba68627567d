// What a truncation means, against the sum over all counts that are left.
transformed data {
  real total = 0;
  for (n in 3:7) {
    total += exp(poisson_lpmf(n | 4) - log_diff_exp(poisson_lcdf(7 | 4), poisson_lcdf(2 | 4)));
  }
  if (abs(total - 1) > 1e-12) {
    reject("counts between 3 and 7: ", total);
  }
}
parameters {
  real<lower=0> x;
}
model {
  real before = target();
  4 ~ poisson(4) T[3, 7];
  4 ~ poisson(4) T[3, ];
  4 ~ poisson(4) T[, 7];
  real after = target();
  x ~ exponential(1);
}
