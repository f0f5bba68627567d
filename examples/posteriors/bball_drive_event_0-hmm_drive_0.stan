// A basketball drive as a two-state hidden Markov chain: speed u and distance v
// are exponential given the state, which the forward algorithm sums out.
data {
  int<lower=0> N;
  int<lower=0> K;
  array[N] real u;
  array[N] real v;
  matrix<lower=0>[K, K] alpha; // prior weights of the transitions
}
parameters {
  simplex[K] theta1; // transitions from state 1
  simplex[K] theta2; // transitions from state 2
  positive_ordered[K] phi;
  positive_ordered[K] lambda;
}
model {
  array[K] vector[K] log_theta_tr; // log_theta_tr[k, j]: from j to k
  vector[K] log_gamma;

  theta1 ~ dirichlet(alpha[1]');
  theta2 ~ dirichlet(alpha[2]');
  phi[1] ~ normal(0, 1);
  phi[2] ~ normal(3, 1);
  lambda[1] ~ normal(0, 1);
  lambda[2] ~ normal(3, 1);

  for (k in 1 : K) {
    log_theta_tr[k] = log([theta1[k], theta2[k]]');
    log_gamma[k] = exponential_lpdf(u[1] | phi[k])
                   + exponential_lpdf(v[1] | lambda[k]);
  }
  for (t in 2 : N) {
    vector[K] next;
    for (k in 1 : K) {
      next[k] = log_sum_exp(log_gamma + log_theta_tr[k])
                + exponential_lpdf(u[t] | phi[k])
                + exponential_lpdf(v[t] | lambda[k]);
    }
    log_gamma = next;
  }
  target += log_sum_exp(log_gamma);
}
