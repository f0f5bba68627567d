functions {
  real f_jacobian(real x) {
    jacobian += x;
    return exp(x);
  }
}
parameters {
  real x;
}
model {
  target += f_jacobian(x); // ERROR
}
