parameters {
  real x;
}
modell { // ERROR
  x ~ normal(0, 1);
}
