// T = 25
// ts ~ grid(T; 1, 25); y ~ uniform(T; 0.1, 7)
functions {
  array[] real two_pool(real t, array[] real C, array[] real theta, array[] real xr, array[] int xi) {
    array[2] real d;
    d[1] = -theta[1] * C[1] + theta[4] * theta[2] * C[2];
    d[2] = -theta[2] * C[2] + theta[3] * theta[1] * C[1];
    return d;
  }
}
data { int T; array[T] real ts; vector[T] y; }
transformed data { array[0] real xr; array[0] int xi; }
parameters { real<lower=0> k1; real<lower=0> k2; real<lower=0, upper=1> a21; real<lower=0, upper=1> a12; real<lower=0, upper=1> gamma; real<lower=0> sigma; }
transformed parameters {
  vector[T] mu;
  {
    array[4] real theta = {k1, k2, a21, a12};
    array[2] real C0 = {7.7 * gamma, 7.7 * (1 - gamma)};
    array[T, 2] real C = integrate_ode_rk45(two_pool, C0, 0, ts, theta, xr, xi);
    for (t in 1:T) mu[t] = 7.7 - sum(C[t]);
  }
}
model { gamma ~ beta(10, 1); k1 ~ normal(0, 1); k2 ~ normal(0, 1); a21 ~ normal(0.5, 1); a12 ~ normal(0, 1); y ~ normal(mu, sigma); }
