functions {
  vector decay(real t, vector y, real rate) {
    return -rate * y;
  }
}
parameters {
  real<lower=0> rate;
  vector[1] y0;
}
model {
  array[1] vector[1] y = ode_rk45_tol(decay, y0, 0.0, {1.0}, rate, 1e-6, 100, rate); // ERROR
  target += y[1, 1];
}
