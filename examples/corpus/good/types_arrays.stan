// Arrays of everything, of any number of dimensions.
data {
  int<lower=0> N;
  array[N] int a;
  array[N, 2] real<lower=0> b;
  array[2, 3, 4] vector[N] c;
  array[N] matrix[2, 2] d;
  array[N] row_vector[3] e;
  array[2] cov_matrix[2] f;
  array[N] complex g;
  array[3] complex_vector[2] h;
}
parameters {
  array[N] real x;
  array[N, 2] vector<lower=0>[3] y;
}
model {
  x ~ normal(0, 1);
  for (n in 1 : N) {
    for (i in 1 : 2) {
      y[n, i] ~ exponential(1);
    }
  }
}
