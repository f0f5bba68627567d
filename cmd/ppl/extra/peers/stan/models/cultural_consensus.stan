// N = 40; M = 60
// Y ~ bernoulli(N, M; 0.5)
data { int N; int M; array[N, M] int Y; }
parameters { vector<lower=0, upper=1>[N] D; vector<lower=0, upper=1>[N] g; real<lower=0, upper=1> pi; }
model {
  D ~ beta(2, 1); g ~ beta(10, 10); pi ~ beta(4, 4);
  for (m in 1:M) {
    real l1 = log(pi);
    real l0 = log1m(pi);
    for (n in 1:N) {
      l1 += bernoulli_lpmf(Y[n, m] | D[n] + (1 - D[n]) * g[n]);
      l0 += bernoulli_lpmf(Y[n, m] | (1 - D[n]) * g[n]);
    }
    target += log_sum_exp(l1, l0);
  }
}
