// T = 80; N = 8
// y ~ normal(T, N); m ~ uniform(N; 0.25, 30)
data { int T; int N; array[T] vector[N] y; vector[N] m; }
parameters { array[T] vector[3] f; vector[3] mu; vector<lower=0, upper=1>[3] phi; vector<lower=0>[3] q; real<lower=0> lam; real<lower=0> s; }
model {
  matrix[N, 3] L;
  L[, 1] = rep_vector(1, N);
  L[, 2] = (1 - exp(-m * lam)) ./ (m * lam);
  L[, 3] = L[, 2] - exp(-m * lam);
  mu ~ normal(0, 2); phi ~ beta(5, 1); q ~ normal(0, 1); lam ~ lognormal(-1, 0.5); s ~ normal(0, 1);
  f[1] ~ normal(mu, 1);
  for (t in 2:T) f[t] ~ normal(mu + phi .* (f[t - 1] - mu), q);
  for (t in 1:T) y[t] ~ normal(L * f[t], s);
}
