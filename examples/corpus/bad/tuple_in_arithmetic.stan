transformed data {
  tuple(real, real) a = (1, 2);
  real b = sum(a + a); // ERROR
}
