transformed data {
  real n = 3;
  vector[n] v; // ERROR
}
