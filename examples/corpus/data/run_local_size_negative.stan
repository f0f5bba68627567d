functions {
  vector f(int n) {
    vector[n - 3] v = rep_vector(0, n);
    return v;
  }
}
transformed data {
  real y = sum(f(1));
}
