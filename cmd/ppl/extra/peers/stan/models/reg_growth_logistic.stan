// N = 15; J = 30
// t ~ grid(N; 0, 10); y ~ normal(J, N)
data { int N; int J; vector[N] t; matrix[J, N] y; }
parameters { vector<lower=0>[J] A; vector[J] mid; vector<lower=0>[J] rate; real<lower=0> s; }
model {
  A ~ lognormal(0, 0.5); mid ~ normal(5, 2); rate ~ lognormal(0, 0.5); s ~ normal(0, 1);
  for (j in 1:J)
    for (n in 1:N)
      y[j, n] ~ normal(A[j] / (1 + exp(-rate[j] * (t[n] - mid[j]))), s);
}
