// Workload D2: a hidden Markov chain, summed out by the forward algorithm.
// Measures nested loops with log_sum_exp.
data {
  int<lower=1> K; // hidden states
  int<lower=1> T;
  vector[T] y;
}
parameters {
  array[K] simplex[K] theta; // theta[j]: transition probabilities from j
  ordered[K] mu;
  real<lower=0> sigma;
}
model {
  vector[K] gamma;

  mu ~ normal(0, 5);
  sigma ~ normal(0, 1);
  for (k in 1 : K) {
    gamma[k] = normal_lpdf(y[1] | mu[k], sigma) - log(K);
  }
  for (t in 2 : T) {
    vector[K] next;
    for (k in 1 : K) {
      vector[K] from;
      for (j in 1 : K) {
        from[j] = gamma[j] + log(theta[j, k]);
      }
      next[k] = log_sum_exp(from) + normal_lpdf(y[t] | mu[k], sigma);
    }
    gamma = next;
  }
  target += log_sum_exp(gamma);
}
