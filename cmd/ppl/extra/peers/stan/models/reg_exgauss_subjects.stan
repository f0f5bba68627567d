// N = 1000; J = 25
// subj ~ levels(N; J); cond ~ bernoulli(N; 0.5); rt ~ lognormal(N; 0, 0.4)
data { int N; int J; array[N] int subj; array[N] int cond; vector[N] rt; }
parameters { real m; real d; vector[J] u; real<lower=0> su; real<lower=0> s; vector<lower=0>[J] lambda; }
model {
  m ~ normal(0, 1); d ~ normal(0, 0.5); u ~ normal(0, su); su ~ normal(0, 0.5); s ~ normal(0, 0.5); lambda ~ gamma(4, 2);
  for (n in 1:N) rt[n] ~ exp_mod_normal(m + d * cond[n] + u[subj[n]], s, lambda[subj[n]]);
}
