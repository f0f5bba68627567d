// N = 100; D = 40; H = 20; K = 3
// x ~ normal(N, D); y ~ levels(N; K)
data { int N; int D; int H; int K; matrix[N, D] x; array[N] int y; }
transformed data { matrix[N, D + 1] X1 = append_col(rep_vector(1, N), x); }
parameters { matrix[D + 1, H] alpha; matrix[H, K - 1] beta; real<lower=0> s1; real<lower=0> s2; }
model {
  matrix[N, K] v = append_col(rep_vector(0, N), tanh(X1 * alpha) * beta);
  to_vector(alpha) ~ normal(0, s1); to_vector(beta) ~ normal(0, s2); s1 ~ cauchy(0, 1); s2 ~ cauchy(0, 1);
  for (n in 1:N) y[n] ~ categorical_logit(v[n]');
}
