// N = 600; S = 20
// gain ~ normal(N); loss ~ exponential(N); s ~ levels(N; 20); y ~ bernoulli(N; 0.5)
functions {
  real u(real x, real a, real l) { return x >= 0 ? pow(x, a) : -l * pow(-x, a); }
}
data { int N; int S; vector[N] gain; vector[N] loss; array[N] int s; array[N] int y; }
parameters { vector<lower=0.2, upper=1.8>[S] a; vector<lower=0>[S] l; vector[S] ref; real<lower=0> tau; }
model {
  a ~ normal(1, 0.3); l ~ lognormal(0.5, 0.3); ref ~ normal(0, 0.5); tau ~ exponential(1);
  for (n in 1:N) y[n] ~ bernoulli_logit(tau * (0.5 * u(gain[n] - ref[s[n]], a[s[n]], l[s[n]]) + 0.5 * u(-loss[n] - ref[s[n]], a[s[n]], l[s[n]])));
}
