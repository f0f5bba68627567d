// N = 30; D = 2
// y ~ bernoulli(N, N; 0.3)
data { int N; int D; array[N, N] int y; }
parameters { array[N] vector[D] z; real a; vector[N] b; real<lower=0> sb; }
model {
  a ~ normal(0, 2); b ~ normal(0, sb); sb ~ normal(0, 1);
  for (i in 1:N) z[i] ~ normal(0, 1);
  for (i in 1:(N - 1)) for (j in (i + 1):N) y[i, j] ~ bernoulli_logit(a + b[i] + b[j] - distance(z[i], z[j]));
}
