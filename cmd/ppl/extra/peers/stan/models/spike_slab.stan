// N = 200; P = 30
// X ~ normal(N, P); y ~ normal(N)
data { int N; int P; matrix[N, P] X; vector[N] y; }
parameters { vector[P] b; real<lower=0, upper=1> pi; real<lower=0> tau; real<lower=0> s; }
model {
  pi ~ beta(1, 5); tau ~ normal(0, 2); s ~ normal(0, 2);
  for (p in 1:P) target += log_mix(pi, normal_lpdf(b[p] | 0, tau), normal_lpdf(b[p] | 0, 0.01));
  y ~ normal(X * b, s);
}
