// N = 1500; I = 75; J = 20
// ii ~ levels(N; I); jj ~ levels(N; J); y ~ bernoulli(N; 0.6); rt ~ lognormal(N; 0, 0.5)
data { int N; int I; int J; array[N] int ii; array[N] int jj; array[N] int y; vector[N] rt; }
parameters { array[I] vector[2] th; vector[J] b; vector<lower=0>[J] a; vector[J] lam; vector<lower=0>[J] sg; cholesky_factor_corr[2] L; vector<lower=0>[2] s; }
model {
  th ~ multi_normal_cholesky(rep_vector(0, 2), diag_pre_multiply(s, L));
  L ~ lkj_corr_cholesky(2); s ~ normal(0, 1); b ~ normal(0, 1); a ~ lognormal(0, 0.5); lam ~ normal(0, 1); sg ~ normal(0, 1);
  for (n in 1:N) {
    y[n] ~ bernoulli_logit(a[jj[n]] * (th[ii[n], 1] - b[jj[n]]));
    rt[n] ~ lognormal(lam[jj[n]] - th[ii[n], 2], sg[jj[n]]);
  }
}
