// New priors for several parameters, for parts of them, and truncated.
data {
  int<lower=1> D;
  vector[D] y;
  real<lower=0> scale;
}
parameters {
  vector[D] beta;
  real<lower=0> tau;
}
model {
  beta ~ normal(0, tau);
  tau ~ exponential(1);
  y ~ normal(beta, 1);
}
inference {
  fit = nuts();
  a = prior_swap(fit) {
    beta ~ student_t(3, 0, tau);
    tau ~ normal(0, scale) T[0, ];
  };
  b = prior_swap(fit, from = "exact", with = nuts(draws = 500)) {
    beta[1] ~ normal(0, 10);
    beta[2 : D] ~ double_exponential(0, tau);
  }
  c = prior_swap(a) { tau ~ cauchy(0, 1); };
}
