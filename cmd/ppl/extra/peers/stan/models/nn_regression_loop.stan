// N = 200; D = 5; H = 8
// x ~ normal(N, D); y ~ normal(N)
data { int N; int D; int H; matrix[N, D] x; vector[N] y; }
parameters { matrix[D, H] W; vector[H] b; vector[H] v; real c; real<lower=0> s; }
model {
  to_vector(W) ~ std_normal(); b ~ std_normal(); v ~ normal(0, inv_sqrt(H)); s ~ normal(0, 1);
  for (n in 1:N) {
    real f = c;
    for (h in 1:H) f += v[h] * tanh(dot_product(x[n]', W[, h]) + b[h]);
    y[n] ~ normal(f, s);
  }
}
