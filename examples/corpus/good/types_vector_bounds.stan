// Bounds of vectors and matrices: one for all elements, or one for each.
data {
  int<lower=0> N;
  vector[N] low;
  matrix[2, N] high;
}
parameters {
  vector<lower=0>[N] a;
  vector<lower=low>[N] b;
  row_vector<upper=3>[N] c;
  matrix<lower=-1, upper=1>[2, N] d;
  matrix<upper=high>[2, N] e;
  vector<lower=low, upper=low + 1>[N] f;
  array[2] vector<lower=0>[N] g;
}
model {
  a ~ exponential(1);
  b ~ normal(0, 1);
  c ~ normal(0, 1);
  to_vector(e) ~ normal(0, 1);
  g[1] ~ exponential(1);
  g[2] ~ exponential(1);
}
