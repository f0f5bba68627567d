// Sizes of zero in every type, and functions of empty containers.
data {
  int<lower=0, upper=0> K;
}
transformed data {
  vector[K] v;
  matrix[K, K] m;
  matrix[3, K] w;
  array[K] matrix[2, 2] am;
  array[K, 5] real aa;
  array[5, K] int ai;
  complex_vector[K] z;
  array[K] tuple(real, vector[2]) t;
  if (sum(v) != 0 || prod(v) != 1 || max(v) != negative_infinity() || min(v) != positive_infinity()) {
    reject("sums of nothing");
  }
  if (size(am) != 0 || dims(w)[2] != 0 || dims(aa)[1] != 0 || size(ai[3]) != 0 || size(t) != 0) {
    reject("sizes");
  }
  if (num_elements(z) != 0 || log_sum_exp(v) != negative_infinity() || dot_product(v, v) != 0) {
    reject("functions of nothing");
  }
  if (determinant(m) != 1 || rows(m * m) != 0 || cols(w * m) != 0 || size(sort_asc(v)) != 0) {
    reject("matrices without elements");
  }
  if (normal_lpdf(v | 0, 1) != 0 || poisson_lpmf(ai[1] | 3) != 0 || size(append_row(v, v)) != 0) {
    reject("densities of nothing");
  }
  if (size(v[1:0]) != 0 || rows(cumulative_sum(v)) != 0) {
    reject("slices of nothing");
  }
  m = m * m;
  w[, 1:0] = w;
}
parameters {
  vector[K] a;
  vector<lower=0, upper=1>[K] b;
  ordered[K] c;
  array[K] simplex[3] d;
  corr_matrix[K] e;
  cholesky_factor_cov[K] f;
  array[0] cov_matrix[3] g;
}
model {
  a ~ normal(0, 1);
  b ~ beta(2, 2);
  for (x in d) {
    x ~ dirichlet(rep_vector(1, 3));
  }
}
generated quantities {
  array[K] real r = normal_rng(a, 1);
}
