// Drift diffusion of decisions by several subjects.
data {
  int<lower=1> N, S;
  array[N] int<lower=1, upper=S> subject;
  array[N] int<lower=0, upper=1> upper_;
  vector<lower=0>[N] rt;
  real min_rt;
}
parameters {
  vector<lower=0>[S] a;
  vector[S] v;
  real<lower=0, upper=1> w;
  real<lower=0, upper=min_rt> tau;
  real mu_v;
  real<lower=0> sd_v;
}
model {
  a ~ lognormal(0.3, 0.3);
  mu_v ~ normal(0, 2);
  sd_v ~ normal(0, 1);
  v ~ normal(mu_v, sd_v);
  w ~ beta(5, 5);
  for (n in 1:N) {
    int s = subject[n];
    if (upper_[n] == 1) rt[n] ~ wiener(a[s], tau, w, v[s]);
    else rt[n] ~ wiener(a[s], tau, 1 - w, -v[s]);
  }
}
