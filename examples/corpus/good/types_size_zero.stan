// Containers may be empty.
transformed data {
  vector[0] v;
  row_vector[0] r;
  matrix[0, 3] m;
  matrix[3, 0] n;
  array[0] int a;
  array[0] vector[2] av;
  array[2, 0] real aa;
  if (sum(v) != 0 || prod(v) != 1 || rows(m) != 0 || cols(m) != 3) {
    reject("empty containers");
  }
  if (size(a) != 0 || size(av) != 0 || size(aa) != 2 || num_elements(n) != 0) {
    reject("empty containers");
  }
  for (x in v) {
    reject("no element to visit");
  }
}
parameters {
  vector[0] nothing;
  array[0] real<lower=0> nothing_positive;
  real mu;
}
model {
  nothing ~ normal(mu, 1);
  nothing_positive ~ exponential(1);
  mu ~ normal(0, 1);
}
