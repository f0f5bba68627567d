// Hares and lynxes: the Lotka-Volterra equations, observed with log-normal noise.
functions {
  // Growth rates of prey u = z[1] and predators v = z[2].
  vector dz_dt(real t, vector z, array[] real theta) {
    real u = z[1];
    real v = z[2];
    return [(theta[1] - theta[2] * v) * u, (-theta[3] + theta[4] * u) * v]';
  }
}
data {
  int<lower=0> N; // measurements after the first
  array[N] real ts; // their times, the first being at time 0
  array[2] real y_init;
  array[N, 2] real<lower=0> y;
}
parameters {
  array[4] real<lower=0> theta;
  vector<lower=0>[2] z_init;
  array[2] real<lower=0> sigma;
}
transformed parameters {
  array[N] vector[2] z = ode_rk45_tol(dz_dt, z_init, 0, ts, 1e-5, 1e-3, 500,
                                      theta);
}
model {
  theta[{1, 3}] ~ normal(1, 0.5);
  theta[{2, 4}] ~ normal(0.05, 0.05);
  sigma ~ lognormal(-1, 1);
  z_init ~ lognormal(log(10), 1);
  for (k in 1 : 2) {
    y_init[k] ~ lognormal(log(z_init[k]), sigma[k]);
    y[ : , k] ~ lognormal(log(z[ : , k]), sigma[k]);
  }
}
