functions {
  real f(data real x) {
    return x;
  }
}
parameters {
  real mu;
}
model {
  real twice = 2 * mu;
  target += f(twice); // ERROR
}
