// Workload C: stochastic volatility with Student t returns. Measures a scalar
// loop with a log-gamma function in every step.
data {
  int<lower=1> T;
  vector[T] y;
}
parameters {
  vector[T] theta;
  real<lower=1> nu;
}
model {
  nu ~ gamma(2, 0.1);
  theta[1] ~ normal(0, 0.09);
  for (t in 2 : T) {
    theta[t] ~ normal(theta[t - 1], 0.09);
  }
  for (t in 1 : T) {
    y[t] ~ student_t(nu, 0, exp(theta[t]));
  }
}
