// N = 900; S = 15
// s ~ levels(N; S); x ~ normal(N); k ~ counts(N; 2, 9)
data { int N; int S; array[N] int s; vector[N] x; array[N] int k; }
parameters { vector[S] m; vector<lower=0>[S] w; vector<lower=0, upper=0.2>[S] lapse; real mu; real<lower=0> tau; }
model {
  mu ~ normal(0, 1); tau ~ normal(0, 1); m ~ normal(mu, tau); w ~ lognormal(0, 0.5); lapse ~ beta(1, 10);
  for (n in 1:N) {
    real psi = 0.5 * lapse[s[n]] + (1 - lapse[s[n]]) * Phi((x[n] - m[s[n]]) / w[s[n]]);
    k[n] ~ binomial(10, psi);
  }
}
