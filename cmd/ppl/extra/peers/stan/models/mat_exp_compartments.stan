// N = 40
// t ~ grid(N; 0.2, 8); y ~ lognormal(N; 0, 0.3)
data { int N; vector[N] t; vector[N] y; }
parameters { real<lower=0> ka; real<lower=0> ke; real<lower=0> k12; real<lower=0> k21; real<lower=0> s; }
model {
  matrix[3, 3] K = rep_matrix(0, 3, 3);
  K[1, 1] = -ka; K[2, 1] = ka; K[2, 2] = -(ke + k12); K[2, 3] = k21; K[3, 2] = k12; K[3, 3] = -k21;
  ka ~ lognormal(0, 0.5); ke ~ lognormal(-1, 0.5); k12 ~ lognormal(-1, 0.5); k21 ~ lognormal(-1, 0.5); s ~ normal(0, 1);
  for (n in 1:N) y[n] ~ lognormal(log((matrix_exp(t[n] * K) * [10, 0, 0]')[2] + 1e-6), s);
}
