// N = 100; D = 3; K = 2
// x ~ normal(N, K); y ~ bernoulli(N, D; 0.5)
data { int N; int D; int K; array[N] vector[K] x; array[N, D] int y; }
parameters { matrix[D, K] b; cholesky_factor_corr[D] L; array[N, D] real<lower=0, upper=1> u; }
model {
  L ~ lkj_corr_cholesky(4); to_vector(b) ~ normal(0, 5);
  for (n in 1:N) {
    vector[D] mu = b * x[n]; vector[D] z; real prev = 0;
    for (d in 1:D) {
      real bound = Phi(-(mu[d] + prev) / L[d, d]); real t;
      if (y[n, d] == 1) { t = bound + (1 - bound) * u[n, d]; z[d] = inv_Phi(t); target += log1m(bound); }
      else { t = bound * u[n, d]; z[d] = inv_Phi(t); target += log(bound); }
      if (d < D) prev = L[d + 1, 1:d] * head(z, d);
    }
  }
}
