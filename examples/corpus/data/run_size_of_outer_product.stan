// A product whose result would not fit in memory.
transformed data {
  vector[100000] x = ones_vector(100000);
  real total = sum(x * x');
}
