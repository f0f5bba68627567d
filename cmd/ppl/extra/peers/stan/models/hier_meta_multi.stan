// J = 25
// y ~ normal(J, 2); s ~ uniform(J, 2; 0.2, 0.8); rho ~ uniform(J; -0.5, 0.5)
data { int J; array[J] vector[2] y; array[J] vector[2] s; vector[J] rho; }
parameters { vector[2] mu; vector<lower=0>[2] tau; cholesky_factor_corr[2] L; array[J] vector[2] theta; }
model {
  L ~ lkj_corr_cholesky(1); tau ~ normal(0, 1);
  theta ~ multi_normal_cholesky(mu, diag_pre_multiply(tau, L));
  for (j in 1:J) {
    matrix[2, 2] S;
    S[1, 1] = square(s[j, 1]); S[2, 2] = square(s[j, 2]); S[1, 2] = rho[j] * s[j, 1] * s[j, 2]; S[2, 1] = S[1, 2];
    y[j] ~ multi_normal(theta[j], S);
  }
}
