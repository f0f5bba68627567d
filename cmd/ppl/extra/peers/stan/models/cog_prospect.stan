// N = 300
// gain ~ uniform(N; 2, 12); loss ~ uniform(N; 1, 10); cert ~ uniform(N; 0, 4); g ~ bernoulli(N; 0.5)
data { int N; vector[N] gain; vector[N] loss; vector[N] cert; array[N] int g; }
parameters { real<lower=0, upper=2> rho; real<lower=0, upper=5> lambda; real<lower=0> tau; }
model {
  rho ~ normal(1, 0.5); lambda ~ normal(2, 1); tau ~ normal(1, 1);
  for (t in 1:N) {
    real evs = pow(cert[t], rho);
    real evg = 0.5 * (pow(gain[t], rho) - lambda * pow(loss[t], rho));
    g[t] ~ bernoulli(inv_logit(tau * (evg - evs)));
  }
}
