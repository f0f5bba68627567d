// N = 500; K = 4; P = 5
// x ~ normal(N, P); y ~ levels(N; K)
data { int N; int K; int P; matrix[N, P] x; array[N] int<lower=1, upper=K> y; }
transformed data { vector[P] zeros = rep_vector(0, P); }
parameters { matrix[P, K - 1] braw; }
transformed parameters { matrix[P, K] b = append_col(braw, zeros); }
model {
  matrix[N, K] eta = x * b;
  to_vector(b) ~ normal(0, 5);
  for (n in 1:N) y[n] ~ categorical_logit(eta[n]');
}
