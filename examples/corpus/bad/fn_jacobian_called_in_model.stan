functions {
  real up_jacobian(real x) {
    jacobian += x;
    return exp(x);
  }
}
parameters {
  real x;
}
model {
  real y = up_jacobian(x); // ERROR
}
