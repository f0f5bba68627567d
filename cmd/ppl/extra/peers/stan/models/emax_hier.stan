// N = 600; G = 40
// g ~ levels(N; G); dose ~ uniform(N; 0, 100); y ~ normal(N)
data { int N; int G; array[N] int g; vector[N] dose; vector[N] y; }
parameters { real e0; real<lower=0> emax; real<lower=0> ed50; real<lower=0> h; vector[G] u; vector<lower=0>[2] s; }
model {
  e0 ~ normal(0, 1); emax ~ normal(0, 5); ed50 ~ lognormal(3, 1); h ~ lognormal(0, 0.5); u ~ normal(0, s[1]); s ~ normal(0, 1);
  for (i in 1:N) y[i] ~ normal(e0 + u[g[i]] + emax * pow(dose[i], h) / (pow(ed50, h) + pow(dose[i], h)), s[2]);
}
