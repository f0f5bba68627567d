// N = 100; K = 15
// y ~ normal(N, K)
data { int N; int K; array[N] vector[K] y; }
parameters { vector[K] mu; vector<lower=0>[K] tau; cholesky_factor_corr[K] L; }
model { mu ~ normal(0, 1); tau ~ exponential(1); L ~ lkj_corr_cholesky(1); for (n in 1:N) y[n] ~ multi_normal_cholesky(mu, diag_pre_multiply(tau, L)); }
