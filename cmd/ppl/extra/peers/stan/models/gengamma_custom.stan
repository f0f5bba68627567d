// N = 200
// y ~ lognormal(N; 0, 0.6); x ~ normal(N)
functions { real gengamma_lpdf(real y, real mu, real s, real Q) {
  if (abs(Q) < 1e-4) return lognormal_lpdf(y | mu, s);
  real w = (log(y) - mu) / s; real q2 = inv_square(Q);
  return log(abs(Q)) - log(s) - log(y) + q2 * log(q2) + q2 * (Q * w - exp(Q * w)) - lgamma(q2); } }
data { int N; vector[N] y; vector[N] x; }
parameters { real a; real b; real<lower=0> s; real Q; }
model { a ~ normal(0, 1); b ~ normal(0, 1); s ~ normal(0, 1); Q ~ normal(0.5, 1); for (n in 1:N) y[n] ~ gengamma(a + b * x[n], s, Q); }
