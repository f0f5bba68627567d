data {
  vector[3] a;
  vector[3] b;
}
transformed data {
  real c = a * b; // ERROR
}
