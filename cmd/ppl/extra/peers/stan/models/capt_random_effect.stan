// M = 200; T = 5
// y ~ bernoulli(M, T; 0.3)
data { int M; int T; array[M, T] int y; }
transformed data { array[M] int s; int C = 0; for (i in 1:M) { s[i] = sum(y[i]); if (s[i] > 0) C += 1; } }
parameters { real<lower=0, upper=1> omega; real<lower=0, upper=1> mp; real<lower=0, upper=5> sigma; vector[M] eps_raw; }
model {
  vector[M] eps = logit(mp) + sigma * eps_raw;
  eps_raw ~ normal(0, 1);
  for (i in 1:M) {
    if (s[i] > 0) target += bernoulli_lpmf(1 | omega) + binomial_logit_lpmf(s[i] | T, eps[i]);
    else target += log_sum_exp(bernoulli_lpmf(1 | omega) + binomial_logit_lpmf(0 | T, eps[i]), bernoulli_lpmf(0 | omega));
  }
}
