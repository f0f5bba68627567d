// N = 600; J = 40; K = 2
// x ~ normal(N, K); g ~ levels(N; J); y ~ normal(N)
data { int N; int J; int K; matrix[N, K] x; array[N] int g; vector[N] y; }
parameters { array[J] vector[K] b; vector[K] mu; corr_matrix[K] Omega; vector<lower=0>[K] tau; real<lower=0> s; }
model {
  tau ~ cauchy(0, 2.5); Omega ~ lkj_corr(2); mu ~ normal(0, 5);
  for (j in 1:J) b[j] ~ multi_normal(mu, quad_form_diag(Omega, tau));
  for (n in 1:N) y[n] ~ normal(x[n] * b[g[n]], s);
}
