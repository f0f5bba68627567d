parameters {
  real x;
}
model {
  x ~ exp(); // ERROR
}
