// N = 300
// x ~ normal(N); y ~ lognormal(N; 0, 0.5)
functions {
  real inv_gaussian_lpdf(vector y, vector mu, real shape, real sum_log_y, vector sqrt_y) {
    return 0.5 * rows(y) * log(shape / (2 * pi())) - 1.5 * sum_log_y
           - 0.5 * shape * dot_self((y - mu) ./ (mu .* sqrt_y));
  }
}
data { int N; vector[N] x; vector<lower=0>[N] y; }
transformed data { real slog = sum(log(y)); vector[N] sq = sqrt(y); }
parameters { real a; real b; real<lower=0> shape; }
model {
  vector[N] mu = exp(a + b * x);
  shape ~ gamma(2, 1);
  target += inv_gaussian_lpdf(y | mu, shape, slog, sq);
}
