// N = 20
// y ~ normal(N, N)
data { int N; array[N, N] real y; }
parameters { real mu; vector<lower=0>[2] sg; cholesky_factor_corr[2] Lg; matrix[2, N] zg; real<lower=0> sd_; real<lower=-1, upper=1> rho; }
model {
  matrix[N, 2] g = (diag_pre_multiply(sg, Lg) * zg)'; matrix[2, 2] S = [[square(sd_), rho * square(sd_)], [rho * square(sd_), square(sd_)]]; matrix[2, 2] L = cholesky_decompose(S);
  mu ~ normal(0, 1); sg ~ normal(0, 1); Lg ~ lkj_corr_cholesky(2); to_vector(zg) ~ normal(0, 1); sd_ ~ normal(0, 1);
  for (i in 1:(N - 1)) for (j in (i + 1):N) [y[i, j], y[j, i]]' ~ multi_normal_cholesky([mu + g[i, 1] + g[j, 2], mu + g[j, 1] + g[i, 2]]', L);
}
