// K = 3; V = 20; M = 25; N = 800
// w ~ levels(N; V); doc ~ levels(N; M)
data { int K; int V; int M; int N; array[N] int w; array[N] int doc; }
parameters { vector[K] mu; corr_matrix[K] Omega; vector<lower=0>[K] sigma; array[M] vector[K] eta; array[K] simplex[V] phi; }
transformed parameters { array[M] simplex[K] theta; cov_matrix[K] S; for (m in 1:M) theta[m] = softmax(eta[m]); S = quad_form_diag(Omega, sigma); }
model {
  for (k in 1:K) phi[k] ~ dirichlet(rep_vector(0.5, V));
  mu ~ normal(0, 5); Omega ~ lkj_corr(2.0); sigma ~ cauchy(0, 5);
  for (m in 1:M) eta[m] ~ multi_normal(mu, S);
  for (n in 1:N) { array[K] real g; for (k in 1:K) g[k] = log(theta[doc[n], k]) + log(phi[k, w[n]]); target += log_sum_exp(g); }
}
