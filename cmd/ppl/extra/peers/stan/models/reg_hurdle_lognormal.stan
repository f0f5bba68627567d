// N = 500
// x ~ normal(N); w ~ bernoulli(N; 0.6); v ~ lognormal(N; 0, 1)
data { int N; vector[N] x; array[N] int w; vector[N] v; }
parameters { real a0; real a1; real b0; real b1; real<lower=0> s; }
model {
  for (i in 1:N) {
    real y = w[i] * v[i];
    real theta = inv_logit(a0 + a1 * x[i]);
    if (y == 0) target += log(theta);
    else { target += log1m(theta); y ~ lognormal(b0 + b1 * x[i], s); }
  }
}
