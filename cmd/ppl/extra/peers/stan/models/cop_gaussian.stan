// N = 300; D = 4
// u ~ uniform(N, D; 0.01, 0.99)
data { int N; int D; matrix[N, D] u; }
parameters { cholesky_factor_corr[D] L; vector<lower=0>[D] rate; }
model {
  matrix[N, D] q; matrix[D, D] Linv = mdivide_left_tri_low(L, identity_matrix(D));
  L ~ lkj_corr_cholesky(1); rate ~ gamma(2, 1);
  for (d in 1:D) { u[, d] ~ exponential(rate[d]); for (n in 1:N) q[n, d] = inv_Phi(fmin(0.999, exponential_cdf(u[n, d] | rate[d]))); }
  target += -N * sum(log(diagonal(L))) - 0.5 * (sum(square(Linv * q')) - sum(square(q)));
}
