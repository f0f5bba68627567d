// R = 60; T = 3; K = 40
// y ~ poisson(R, T; 3); X ~ normal(R)
data { int R; int T; int K; array[R, T] int<lower=0> y; vector[R] X; }
transformed data { array[R] int max_y; for (i in 1:R) max_y[i] = max(y[i]); }
parameters { real a0; real a1; real b0; }
model {
  vector[R] ll = a0 + a1 * X;
  a0 ~ normal(0, 2); a1 ~ normal(0, 2); b0 ~ normal(0, 2);
  for (i in 1:R) {
    vector[K - max_y[i] + 1] lp;
    for (j in 1:(K - max_y[i] + 1)) {
      int n = max_y[i] + j - 1;
      lp[j] = poisson_log_lpmf(n | ll[i]) + binomial_logit_lpmf(y[i] | n, b0);
    }
    target += log_sum_exp(lp);
  }
}
