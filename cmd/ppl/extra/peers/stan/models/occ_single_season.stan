// R = 200; T = 4
// y ~ bernoulli(R, T; 0.2); x ~ normal(R); z ~ normal(R, T)
data { int R; int T; array[R, T] int y; vector[R] x; matrix[R, T] z; }
transformed data { array[R] int sumy; for (i in 1:R) sumy[i] = sum(y[i]); }
parameters { real aocc; real bocc; real ap; real bp; }
transformed parameters { vector[R] lpsi = aocc + bocc * x; matrix[R, T] lp = ap + bp * z; }
model {
  aocc ~ normal(0, 2); bocc ~ normal(0, 2); ap ~ normal(0, 2); bp ~ normal(0, 2);
  for (i in 1:R) {
    if (sumy[i]) { 1 ~ bernoulli_logit(lpsi[i]); y[i] ~ bernoulli_logit(lp[i]); }
    else target += log_sum_exp(bernoulli_logit_lpmf(1 | lpsi[i]) + bernoulli_logit_lpmf(0 | lp[i, 1]) + bernoulli_logit_lpmf(0 | lp[i, 2]) + bernoulli_logit_lpmf(0 | lp[i, 3]) + bernoulli_logit_lpmf(0 | lp[i, 4]), bernoulli_logit_lpmf(0 | lpsi[i]));
  }
}
