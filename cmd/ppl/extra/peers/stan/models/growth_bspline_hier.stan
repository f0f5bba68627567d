// J = 15; T = 10; K = 6
// y ~ normal(J, T); B ~ uniform(T, K; 0, 1)
data { int J; int T; int K; array[J] vector[T] y; matrix[T, K] B; }
parameters { vector[K] mu; vector<lower=0>[K] tau; cholesky_factor_corr[K] L; array[J] vector[K] z; real<lower=0> s; }
transformed parameters { array[J] vector[K] c; for (j in 1:J) c[j] = mu + tau .* (L * z[j]); }
model { mu ~ normal(0, 1); tau ~ normal(0, 1); L ~ lkj_corr_cholesky(2); s ~ normal(0, 1); for (j in 1:J) { z[j] ~ std_normal(); y[j] ~ normal(B * c[j], s); } }
