// N = 100; M = 12
// y ~ lognormal(N; 0, 0.5)
data { int N; int M; vector<lower=0>[N] y; }
parameters { real<lower=0> mu; real<lower=0> phi; real<lower=1, upper=2> theta; }
model {
  real lambda = 1 / phi * mu ^ (2 - theta) / (2 - theta); real alpha = (2 - theta) / (theta - 1); real beta = 1 / phi * mu ^ (1 - theta) / (theta - 1);
  mu ~ cauchy(0, 5); phi ~ cauchy(0, 5);
  for (n in 1:N) {
    vector[M] ps;
    for (m in 1:M) ps[m] = poisson_lpmf(m | lambda) + gamma_lpdf(y[n] | m * alpha, beta);
    target += log_sum_exp(ps);
  }
}
