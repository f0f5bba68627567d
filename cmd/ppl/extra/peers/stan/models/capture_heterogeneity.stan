// Capture and recapture of a closed population with effects of animal and occasion, data augmented.
data {
  int<lower=0> M, T;
  array[M, T] int<lower=0, upper=1> y;
}
transformed data {
  array[M] int<lower=0> s;
  for (i in 1:M) s[i] = sum(y[i]);
}
parameters {
  real<lower=0, upper=1> omega;
  vector<lower=0, upper=1>[T] mean_p;
  real<lower=0, upper=5> sigma;
  vector[M] eps_raw;
}
transformed parameters {
  vector[M] eps = sigma * eps_raw;
  vector[T] mean_lp = logit(mean_p);
  matrix[M, T] logit_p;
  for (j in 1:T) logit_p[, j] = mean_lp[j] + eps;
}
model {
  eps_raw ~ normal(0, 1);
  for (i in 1:M) {
    if (s[i] > 0) {
      target += bernoulli_lpmf(1 | omega) + bernoulli_logit_lpmf(y[i] | logit_p[i]);
    } else {
      target += log_sum_exp(bernoulli_lpmf(1 | omega) + bernoulli_logit_lpmf(y[i] | logit_p[i]),
                            bernoulli_lpmf(0 | omega));
    }
  }
}
