// N = 400
// y ~ normal(N); x ~ normal(N); z ~ normal(N, 2)
data { int N; vector[N] y; vector[N] x; matrix[N, 2] z; }
parameters { real a; real b; real c; vector[2] g; vector<lower=0>[2] s; cholesky_factor_corr[2] L; }
model {
  array[N] vector[2] Y; array[N] vector[2] M;
  a ~ normal(0, 2); b ~ normal(0, 2); c ~ normal(0, 2); g ~ normal(0, 2); s ~ normal(0, 2); L ~ lkj_corr_cholesky(2);
  for (n in 1:N) { Y[n] = [y[n], x[n]]'; M[n] = [a + b * x[n], c + z[n] * g]'; }
  Y ~ multi_normal_cholesky(M, diag_pre_multiply(s, L));
}
