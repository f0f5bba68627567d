// Parameters declared and used in every shape at once.
data {
  int<lower=1> N;
  int<lower=1> K;
  matrix[N, K] X;
  array[N] int<lower=0, upper=1> y;
}
transformed data {
  matrix[N, K] Q = X;
  vector[K] means;
  for (k in 1 : K) {
    means[k] = mean(X[ : , k]);
    Q[ : , k] -= means[k];
  }
}
parameters {
  real alpha;
  vector[K] beta;
  array[K] real<lower=0> lambda;
  real<lower=0> tau;
}
transformed parameters {
  vector[N] eta = alpha + Q * beta;
}
model {
  alpha ~ student_t(3, 0, 2.5);
  lambda ~ cauchy(0, 1);
  tau ~ cauchy(0, 1);
  beta ~ normal(0, to_vector(lambda) * tau);
  y ~ bernoulli_logit(eta);
}
generated quantities {
  real intercept = alpha - dot_product(means, beta);
  array[N] int y_rep = bernoulli_logit_rng(eta);
  real accuracy = 0;
  for (n in 1 : N) {
    accuracy += y_rep[n] == y[n];
  }
  accuracy /= N;
}
