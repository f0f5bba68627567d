// T = 200; K = 3
// x ~ normal(T, K); y ~ normal(T)
data { int T; int K; matrix[T, K] x; vector[T] y; }
parameters { matrix[T, K] z; vector[K] b0; vector<lower=0>[K] tau; real<lower=0> s; }
transformed parameters {
  matrix[T, K] b;
  b[1] = b0';
  for (t in 2:T) b[t] = b[t - 1] + tau' .* z[t];
}
model {
  to_vector(z) ~ std_normal(); b0 ~ normal(0, 1); tau ~ normal(0, 0.3); s ~ normal(0, 1);
  for (t in 1:T) y[t] ~ normal(dot_product(x[t], b[t]), s);
}
