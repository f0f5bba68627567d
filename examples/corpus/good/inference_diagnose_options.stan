// Options of the diagnoses: lists, strings, truth values.
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> tau;
}
model {
  mu ~ normal(0, 10);
  tau ~ exponential(1);
  y ~ normal(mu, tau);
}
inference {
  fit = nuts();
  diagnose bread(fit, steps = [10], schedule = "sigmoidal", datasets = 5,
                 data = "fitted", hyper = [tau]);
  diagnose bread(hmc(leapfrogs = 5), steps = [1, 2, 4], data = "simulated");
  diagnose gibbs_prior(fit, chains = 4, warm_start = true);
  diagnose sbc(fit, replications = 200, draws = 99, bins = 20,
               statistics = [mu, log(tau), mu / tau]);
}
