// Wrappers take a method, by name or as a call, and nest.
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  vector[2] theta;
}
model {
  theta ~ normal(0, 1);
  y ~ normal(theta[1] * theta[2], 1);
}
inference {
  fit = nuts();
  quick = advi();
  annealed = ais(fit);
  lasso = prior_swap(fit) { theta ~ double_exponential(0, 0.5); }
  used = gibbs_prior(prior_swap(advi(family = "fullrank")) { theta ~ cauchy(0, 1); });

  diagnose bread(fit, steps = [10, 100, 1000], chains = 100);
  diagnose gibbs_prior(quick, steps = 10000, statistics = [mean(theta), sd(theta)]);
  diagnose sbc(lasso, replications = 500);
}
