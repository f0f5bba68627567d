// N = 400
// t ~ exponential(N); d ~ bernoulli(N; 0.5); x ~ normal(N)
functions {
  real gompertz_log_s(real t, real a, real b) { return -a / b * expm1(b * t); }
  real gompertz_log_h(real t, real a, real b) { return log(a) + b * t; }
}
data { int N; vector[N] t; array[N] int d; vector[N] x; }
parameters { real b0; real b1; real<lower=0> shape; real<lower=0, upper=1> cure; }
model {
  b0 ~ normal(0, 2); b1 ~ normal(0, 1); shape ~ exponential(1);
  for (i in 1:N) {
    real rate = exp(b0 + b1 * x[i]);
    real ls = gompertz_log_s(t[i], rate, shape);
    if (d[i]) target += log1m(cure) + ls + gompertz_log_h(t[i], rate, shape);
    else target += log_sum_exp(log(cure), log1m(cure) + ls);
  }
}
