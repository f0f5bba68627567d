transformed data {
  vector[poisson_rng(3)] y; // ERROR
}
