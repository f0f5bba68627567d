transformed data {
  real sigma = -2;
  real x = normal_rng(0, sigma);
}
