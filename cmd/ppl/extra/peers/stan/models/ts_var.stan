// T = 200; D = 4
// y ~ normal(T, D)
data { int T; int D; array[T] vector[D] y; }
parameters { vector[D] a; matrix[D, D] A; matrix[D, D] B; cholesky_factor_corr[D] L; vector<lower=0>[D] tau; }
model {
  to_vector(A) ~ normal(0, 0.5); to_vector(B) ~ normal(0, 0.3); tau ~ cauchy(0, 1); L ~ lkj_corr_cholesky(2);
  for (t in 3:T) y[t] ~ multi_normal_cholesky(a + A * y[t - 1] + B * y[t - 2], diag_pre_multiply(tau, L));
}
