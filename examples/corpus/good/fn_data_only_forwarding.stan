// data arguments are handed on to data arguments.
functions {
  vector rhs(real t, vector y, data real k) {
    return -k * y;
  }
  array[] vector solve(vector y0, data array[] real ts, data real k) {
    return ode_rk45_tol(rhs, y0, 0, ts, 1e-8, 1e-8, 1000, k);
  }
}
data {
  real<lower=0> k;
}
parameters {
  vector<lower=0>[1] y0;
}
model {
  array[2] vector[1] y = solve(y0, {0.5, 1}, k);
  y[2] ~ lognormal(0, 1);
  target += -log(y[2]);
  y0 ~ exponential(1);
}
