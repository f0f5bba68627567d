// Vectors in ascending order, of any sign and positive.
data {
  int<lower=0> K;
}
parameters {
  ordered[K] a;
  positive_ordered[K] b;
  array[2] ordered[3] c;
}
model {
  a ~ normal(0, 1);
  b ~ exponential(1);
  c[1] ~ normal(0, 1);
  c[2] ~ normal(0, 1);
}
