// A hidden Markov chain, written as its story.
data {
  int<lower=1> T;
  int<lower=1> K;
  vector[T] y;
}
parameters {
  array[K] simplex[K] theta;
  ordered[K] mu;
  array[T] int<lower=1, upper=K> z;
}
model {
  mu ~ normal(0, 5);
  z[1] ~ categorical(rep_vector(1.0 / K, K));
  for (t in 2 : T) {
    z[t] ~ categorical(theta[z[t - 1]]);
  }
  y ~ normal(mu[z], 1);
}
