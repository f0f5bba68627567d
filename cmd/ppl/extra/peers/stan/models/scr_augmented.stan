// M = 100; J = 25
// y ~ counts(M, J; 0, 1); tx ~ uniform(J, 2; 0, 5)
data { int M; int J; array[M, J] int y; array[J] vector[2] tx; }
parameters { real<lower=0, upper=1> psi; real a0; real<lower=0> sg; array[M] vector<lower=0, upper=5>[2] s; }
model {
  psi ~ beta(1, 1); a0 ~ normal(-1, 1); sg ~ normal(0, 2);
  for (i in 1:M) {
    vector[J] lp;
    for (j in 1:J) lp[j] = a0 - squared_distance(s[i], tx[j]) / (2 * square(sg));
    if (sum(y[i]) > 0) target += log(psi) + binomial_logit_lpmf(y[i] | 5, lp);
    else target += log_sum_exp(log(psi) + binomial_logit_lpmf(y[i] | 5, lp), log1m(psi));
  }
}
