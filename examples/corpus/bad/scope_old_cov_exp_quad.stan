transformed data {
  matrix[2, 2] k = cov_exp_quad({1.0, 2.0}, 1, 1); // ERROR
}
