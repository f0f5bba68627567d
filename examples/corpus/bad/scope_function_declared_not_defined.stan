functions {
  real f(real x); // ERROR
}
transformed data {
  real y = f(1);
}
