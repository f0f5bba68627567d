// A function whose result would not fit in memory.
transformed data {
  real total = sum(rep_vector(1.0, 2000000000));
}
