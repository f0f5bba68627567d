// N = 40
// year ~ grid(N; -1, 1); C ~ poisson(N; 80)
data { int<lower=0> N; array[N] int<lower=0> C; vector[N] year; }
transformed data { vector[N] year2 = year .* year; vector[N] year3 = year2 .* year; }
parameters { real<lower=-20, upper=20> alpha; real<lower=-10, upper=10> beta1; real<lower=-10, upper=10> beta2; real<lower=-10, upper=10> beta3; }
transformed parameters {
  vector[N] log_lambda = alpha + beta1 * year + beta2 * year2 + beta3 * year3;
}
model { C ~ poisson_log(log_lambda); }
