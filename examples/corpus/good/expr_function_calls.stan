// Functions without arguments, nested calls, and vectorised functions.
transformed data {
  real a = pi() + e() + sqrt2() + log10() + machine_precision();
  vector[3] v = exp(log([1, 2, 3]'));
  array[2, 2] real aa = exp(rep_array(0.0, 2, 2));
  matrix[2, 2] m = fmax(rep_matrix(1, 2, 2), 3);
  real b = log_sum_exp(log(1), log(fmin(2, max({1, 5, 3}))));
  if (abs(v[3] - 3) > 1e-12 || aa[2, 1] != 1 || m[1, 1] != 3) {
    reject("functions");
  }
  if (abs(b - log(3)) > 1e-12) {
    reject("functions: ", b);
  }
}
