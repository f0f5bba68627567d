functions {
  real coin_lpmf(int n, real p) {
    return log(p);
  }
}
parameters {
  real x;
}
model {
  x ~ coin(0.5); // ERROR
}
