// T = 15
// ts ~ grid(T; 0.5, 10); conc ~ lognormal(T; 0, 0.4)
functions {
  array[] real mm(real t, array[] real y, array[] real theta, array[] real xr, array[] int xi) {
    array[1] real d;
    d[1] = -theta[2] / theta[1] * y[1] / (theta[3] + y[1]);
    if (t > 0) d[1] += exp(-theta[4] * t) * xr[1] * theta[4] / theta[1];
    return d;
  }
}
data { int T; array[T] real ts; array[T] real conc; }
transformed data { array[1] real xr = {10.0}; array[0] int xi; array[1] real C0 = {0.0}; }
parameters { array[4] real<lower=0> theta; real<lower=0> sigma; }
model {
  array[T, 1] real C = integrate_ode_bdf(mm, C0, 0, ts, theta, xr, xi);
  theta ~ lognormal(0, 0.5); sigma ~ cauchy(0, 1);
  for (n in 1:T) conc[n] ~ lognormal(log(C[n, 1] + 1e-6), sigma);
}
