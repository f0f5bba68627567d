// N = 800
// x ~ normal(N); z ~ normal(N); y ~ bernoulli(N; 0.4)
data { int N; vector[N] x; vector[N] z; array[N] int<lower=0, upper=1> y; }
parameters { real a; real b; real c; }
model {
  for (n in 1:N) y[n] ~ bernoulli(Phi_approx(a + b * x[n] + c * z[n]));
}
