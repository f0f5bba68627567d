// N = 60; K = 4; J = 2
// y ~ normal(N, J); ms ~ normal(K, J); vs ~ uniform(K, J; 0.1, 1); g ~ levels(N; 5)
data { int N; int K; int J; matrix[N, J] y; matrix[K, J] ms; matrix[K, J] vs; array[N] int g; }
parameters { vector[K] mu; array[5] vector[K] z; real<lower=0> tau; vector<lower=0>[J] e; }
model {
  mu ~ normal(0, 1); tau ~ normal(0, 1); e ~ normal(0, 1);
  for (i in 1:5) z[i] ~ std_normal();
  for (n in 1:N) {
    vector[K] p = softmax(mu + tau * z[g[n]]);
    for (j in 1:J)
      y[n, j] ~ normal(dot_product(p, ms[, j]), sqrt(dot_product(square(p), vs[, j]) + square(e[j])));
  }
}
