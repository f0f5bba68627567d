parameters {
  real x;
}
generated quantities {
  real y = lower_bound_jacobian(x, 0); // ERROR
}
