// A size is any integer expression over data.
functions {
  int triangle(int n) {
    return (n * (n + 1)) %/% 2;
  }
}
data {
  int<lower=1> N;
  int<lower=0, upper=1> wide;
  vector[2 * N + 1] a;
  vector[wide ? 10 : 5] b;
}
transformed data {
  array[2] int dims = {3, 4};
  matrix[dims[1], dims[2]] m = rep_matrix(1, dims[1], dims[2]);
  vector[size(a)] c = a;
}
parameters {
  vector[triangle(N)] d;
  vector[rows(m) + cols(m)] e;
}
model {
  d ~ normal(0, 1);
  e ~ normal(0, 1);
}
