// N = 150; P = 8; D = 2
// y ~ normal(N, P)
data { int N; int P; int D; array[N] vector[P] y; }
transformed data { int M = D * (P - D) + (D * (D - 1)) %/% 2; vector[P] mu = rep_vector(0, P); }
parameters { vector[M] Lt; vector<lower=0>[D] Ld; vector<lower=0>[P] psi; real<lower=0> st; }
transformed parameters {
  cholesky_factor_cov[P, D] L; cov_matrix[P] Q;
  {
    int idx = 0;
    for (i in 1:P) for (j in (i + 1):D) L[i, j] = 0;
    for (j in 1:D) { L[j, j] = Ld[j]; for (i in (j + 1):P) { idx += 1; L[i, j] = Lt[idx]; } }
  }
  Q = L * L' + diag_matrix(psi);
}
model { Lt ~ normal(0, st); st ~ cauchy(0, 1); Ld ~ cauchy(0, 1); psi ~ cauchy(0, 1); y ~ multi_normal(mu, Q); }
