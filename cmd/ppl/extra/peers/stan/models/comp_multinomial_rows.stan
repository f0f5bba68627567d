// N = 300; K = 5; P = 3
// y ~ poisson(N, K; 8); X ~ normal(N, P)
data { int N; int K; int P; array[N, K] int y; matrix[N, P] X; }
parameters { matrix[P, K] beta; vector[K] alpha; }
model {
  to_vector(beta) ~ normal(0, 1); alpha ~ normal(0, 2);
  for (n in 1:N) {
    vector[K] theta = softmax(alpha + (X[n] * beta)');
    y[n] ~ multinomial(theta);
  }
}
