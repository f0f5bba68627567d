transformed data {
  int a;
  real b;
  (a, b) = (1.5, 2); // ERROR
}
