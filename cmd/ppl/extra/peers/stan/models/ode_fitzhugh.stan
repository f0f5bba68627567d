// T = 40
// ts ~ grid(T; 0.5, 20); V ~ normal(T); R ~ normal(T)
functions {
  vector fhn(real t, vector y, vector th) {
    return [th[3] * (y[1] - y[1] ^ 3 / 3 + y[2]), -(y[1] - th[1] + th[2] * y[2]) / th[3]]';
  }
}
data { int T; array[T] real ts; vector[T] V; vector[T] R; }
parameters { vector<lower=0>[3] th; vector[2] y0; vector<lower=0>[2] s; }
model {
  array[T] vector[2] z = ode_rk45_tol(fhn, y0, 0, ts, 1e-6, 1e-6, 10000, th);
  th ~ gamma(2, 2); y0 ~ normal(0, 1); s ~ normal(0, 1);
  V ~ normal(z[, 1], s[1]); R ~ normal(z[, 2], s[2]);
}
