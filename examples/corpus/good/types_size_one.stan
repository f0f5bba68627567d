// Containers of one element, and square matrices of size one.
parameters {
  simplex[1] s;
  ordered[1] o;
  positive_ordered[1] p;
  corr_matrix[1] r;
  cholesky_factor_corr[1] l;
  cov_matrix[1] c;
  cholesky_factor_cov[1] f;
  unit_vector[2] u;
  vector[1] v;
}
model {
  o ~ normal(0, 1);
  p ~ exponential(1);
  c ~ inv_wishart(3, identity_matrix(1));
  f[1, 1] ~ normal(0, 1);
  v ~ multi_normal(o, c);
  if (s[1] != 1 || r[1, 1] != 1 || l[1, 1] != 1) {
    reject("size one");
  }
}
