functions {
  real decay(real t, vector y) {
    return 1;
  }
}
model {
  array[1] vector[1] y = ode_rk45(decay, [1]', 0, {1.0}); // ERROR
}
