// T = 12
// ts ~ grid(T; 0.5, 10); y ~ lognormal(T; -1, 0.2)
functions { vector res(real t, vector y, vector yp, real k1, real k2) { return [yp[1] + k1 * y[1], yp[2] - k1 * y[1] + k2 * y[2], y[1] + y[2] + y[3] - 1]'; } }
data { int T; array[T] real ts; vector[T] y; }
parameters { real<lower=0> k1; real<lower=0> k2; real<lower=0> s; }
model {
  array[T] vector[3] z = dae(res, [1, 0, 0]', [-k1, k1, 0]', 0, ts, k1, k2);
  k1 ~ lognormal(-1, 0.5); k2 ~ lognormal(-1, 0.5); s ~ normal(0, 1);
  for (t in 1:T) y[t] ~ normal(z[t, 2], s);
}
