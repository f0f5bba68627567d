// T = 10
// ts ~ grid(T; 0.5, 5); y ~ lognormal(T; -1, 0.3)
functions { vector chain(real t, vector y, vector k) { vector[8] d; d[1] = -k[1] * y[1]; for (i in 2:8) d[i] = k[i - 1] * y[i - 1] - k[i] * y[i]; return d; } }
data { int T; array[T] real ts; vector[T] y; }
parameters { vector<lower=0>[8] k; real<lower=0> s; }
model {
  array[T] vector[8] z = ode_adjoint_tol_ctl(chain, [1, 0, 0, 0, 0, 0, 0, 0]', 0, ts, 1e-6, rep_vector(1e-6, 8), 1e-6, rep_vector(1e-6, 8), 1e-6, 1e-6, 10000, 150, 1, 2, 2, k);
  k ~ lognormal(0, 0.5); s ~ normal(0, 1);
  for (t in 1:T) y[t] ~ normal(z[t, 3], s);
}
