// N = 30
// x ~ uniform(N; 0.5, 3); y ~ lognormal(N; 0, 0.3)
functions { vector steady(vector u, real k1, real k2, real x) { return [u[1] - x + k1 * u[1] * u[2], u[2] - 1 + k2 * u[1] * u[2] / (1 + u[2])]'; } }
data { int N; array[N] real x; vector[N] y; }
parameters { real<lower=0> k1; real<lower=0> k2; real<lower=0> s; }
model {
  vector[N] m;
  for (n in 1:N) m[n] = solve_newton(steady, [1.0, 0.5]', k1, k2, x[n])[1];
  k1 ~ lognormal(0, 0.5); k2 ~ lognormal(0, 0.5); s ~ normal(0, 1);
  y ~ lognormal(log(m), s);
}
