// N = 25
// x ~ uniform(N; 0.2, 2); y ~ normal(N)
functions { real f(real u, real uc, array[] real th, array[] real xr, array[] int xi) { return exp(-th[1] * square(u)) * (1 + th[2] * u); } }
data { int N; array[N] real x; vector[N] y; }
transformed data { array[0] real xr; array[0] int xi; }
parameters { real<lower=0> a; real b; real<lower=0> s; }
model {
  vector[N] m;
  for (n in 1:N) m[n] = integrate_1d(f, 0, x[n], {a, b}, xr, xi, 1e-8);
  a ~ lognormal(0, 0.5); b ~ normal(0, 1); s ~ normal(0, 1); y ~ normal(m, s);
}
