functions {
  vector decay(real t, row_vector y, real rate) {
    return -rate * y';
  }
}
parameters {
  real<lower=0> rate;
  vector[1] y0;
}
model {
  array[1] vector[1] y = ode_rk45(decay, y0, 0.0, {1.0}, rate); // ERROR
}
