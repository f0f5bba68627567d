// The older interface of the ODE solver is still accepted.
functions {
  array[] real decay(real t, array[] real y, array[] real theta,
                     array[] real x_r, array[] int x_i) {
    return {-theta[1] * y[1] + x_r[1] * x_i[1]};
  }
}
data {
  int<lower=1> T;
  array[T] real<lower=0> ts;
  array[1] real x_r;
  array[1] int x_i;
}
parameters {
  array[1] real<lower=0> theta;
  array[1] real y0;
}
transformed parameters {
  array[T, 1] real y = integrate_ode_rk45(decay, y0, 0, ts, theta, x_r, x_i);
  array[T, 1] real z = integrate_ode_rk45(decay, y0, 0, ts, theta, x_r, x_i,
                                          1e-6, 1e-6, 1000);
}
model {
  theta ~ lognormal(0, 1);
  y0 ~ normal(0, 1);
}
