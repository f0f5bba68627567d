transformed data {
  real f = 1;
  array[1] vector[1] y = ode_rk45(f, [1]', 0, {1.0}); // ERROR
}
