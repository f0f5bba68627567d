// N = 500
// x ~ normal(N); y ~ normal(N)
functions {
  real asym_laplace_lpdf(real y, real mu, real sigma, real q) {
    return log(q * (1 - q)) - log(sigma) - ((y - mu) / sigma) * (q - (y < mu));
  }
}
data { int N; vector[N] x; vector[N] y; }
parameters { real a; real b; real<lower=0> s; }
model {
  vector[N] mu = a + b * x;
  s ~ student_t(3, 0, 2.5);
  for (n in 1:N) target += asym_laplace_lpdf(y[n] | mu[n], s, 0.25);
}
