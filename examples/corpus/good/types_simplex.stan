// Vectors that are not negative and add up to one.
data {
  int<lower=1> K;
  simplex[K] observed;
}
parameters {
  simplex[K] theta;
  array[2, 3] simplex[K] phi;
}
model {
  observed ~ dirichlet(10 * theta);
  theta ~ dirichlet(rep_vector(2, K));
}
