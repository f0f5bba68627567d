// N = 200
// xobs ~ normal(N); tau ~ uniform(N; 0.2, 0.6); y ~ normal(N)
data { int N; array[N] real xobs; array[N] real tau; array[N] real y; }
parameters { array[N] real x; real mx; real<lower=0> sx; real a; real b; real<lower=0> s; }
model {
  x ~ normal(mx, sx);
  xobs ~ normal(x, tau);
  for (n in 1:N) y[n] ~ normal(a + b * x[n], s);
  a ~ normal(0, 10); b ~ normal(0, 10); s ~ cauchy(0, 5);
}
