functions {
  real f(data real x) {
    return x;
  }
}
parameters {
  real mu;
}
model {
  real local = mu;
  target += f(local); // ERROR
}
