// An ODE solver takes a function and any further arguments, of any types.
functions {
  vector decay(real t, vector y, real rate, vector inflow, array[] int flags,
               data real dose) {
    return -rate * y + flags[1] * inflow + dose;
  }
}
data {
  int<lower=1> T;
  array[T] real<lower=0> ts;
  array[T] vector[2] y;
}
parameters {
  real<lower=0> rate;
  vector<lower=0>[2] y0;
}
transformed parameters {
  array[T] vector[2] mu = ode_rk45(decay, y0, 0.0, ts, rate, [0.1, 0.2]', {1}, 0.5);
  array[T] vector[2] mu_tol = ode_rk45_tol(decay, y0, 0, ts, 1e-6, 1e-6, 1000,
                                           rate, [0.1, 0.2]', {1}, 0.5);
}
model {
  rate ~ exponential(1);
  y0 ~ lognormal(0, 1);
  for (t in 1 : T) {
    y[t] ~ normal(mu[t], 0.1);
    mu_tol[t] ~ normal(mu[t], 1);
  }
}
