// N = 50
// D ~ distances(N); y ~ normal(N); x ~ normal(N)
data { int N; matrix[N, N] D; vector[N] y; vector[N] x; }
parameters { real a; real b; real<lower=0> al; real<lower=0> s2; real<lower=0> me; }
model {
  matrix[N, N] V;
  for (i in 1:N) {
    for (j in i:N) { V[i, j] = s2 * exp(-al * D[i, j]); V[j, i] = V[i, j]; }
    V[i, i] += square(me) + 1e-6;
  }
  a ~ normal(0, 1); b ~ normal(0, 1); al ~ exponential(1); s2 ~ exponential(1); me ~ normal(0, 0.5);
  y ~ multi_normal(a + b * x, V);
}
