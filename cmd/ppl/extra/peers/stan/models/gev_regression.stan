// N = 400
// y ~ normal(N); x ~ normal(N)
functions {
  real gev_lpdf(real y, real mu, real sigma, real xi) {
    real z = (y - mu) / sigma;
    if (abs(xi) > 1e-10) {
      real t = 1 + xi * z;
      if (t <= 0) return negative_infinity();
      return -log(sigma) - (1 + 1 / xi) * log(t) - t ^ (-1 / xi);
    }
    return -log(sigma) - z - exp(-z);
  }
}
data { int N; vector[N] y; vector[N] x; }
parameters { real a; real b; real<lower=0> s; real<lower=-0.2, upper=0.2> xi; }
model { a ~ normal(0, 2); b ~ normal(0, 1); s ~ normal(2, 2); for (n in 1:N) y[n] ~ gev(a + b * x[n], s + 5, xi); }
