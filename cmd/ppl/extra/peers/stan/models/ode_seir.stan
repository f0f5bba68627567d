// T = 20
// ts ~ grid(T; 1, 60); cases ~ poisson(T; 20)
functions {
  vector seir(real t, vector y, real beta, real a, real g, real N) {
    vector[4] d;
    d[1] = -beta * y[1] * y[3] / N; d[2] = beta * y[1] * y[3] / N - a * y[2]; d[3] = a * y[2] - g * y[3]; d[4] = g * y[3];
    return d;
  }
}
data { int T; array[T] real ts; array[T] int cases; }
parameters { real<lower=0> beta; real<lower=0> a; real<lower=0> g; real<lower=0> phi_inv; real<lower=0, upper=1> p; }
model {
  array[T] vector[4] y = ode_rk45(seir, [999, 0, 1, 0]', 0, ts, beta, a, g, 1000);
  beta ~ normal(1, 1); a ~ normal(0.4, 0.5); g ~ normal(0.2, 0.3); phi_inv ~ exponential(5); p ~ beta(2, 2);
  for (t in 1:T) cases[t] ~ neg_binomial_2(p * (y[t, 3] + 1e-3), 1 / phi_inv);
}
