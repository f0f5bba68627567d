data {
  int N;
  vector[N] y;
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
  y ~ normal(mu, 1);
}
simulate {
  mu = normal_rng(0, 1);
  N = 3; // ERROR
  y = rep_vector(mu, N);
}
