// nsite = 60; nyear = 8; nrep = 3
// y ~ counts(nsite, nyear; 0, 3)
data { int nsite; int nyear; int nrep; array[nsite, nyear] int y; }
parameters { real<lower=0, upper=1> psi1; vector<lower=0, upper=1>[nyear - 1] phi; vector<lower=0, upper=1>[nyear - 1] gamma; vector<lower=0, upper=1>[nyear] p; }
model {
  for (i in 1:nsite) {
    array[nyear, 2] real po; vector[2] acc; array[nyear] vector[2] g;
    for (t in 1:nyear) { po[t, 1] = exp(binomial_lpmf(y[i, t] | nrep, p[t])); po[t, 2] = y[i, t] == 0; }
    g[1, 1] = psi1 * po[1, 1]; g[1, 2] = (1 - psi1) * po[1, 2];
    for (t in 2:nyear) {
      acc[1] = g[t - 1, 1] * phi[t - 1]; acc[2] = g[t - 1, 2] * gamma[t - 1]; g[t, 1] = sum(acc) * po[t, 1];
      acc[1] = g[t - 1, 1] * (1 - phi[t - 1]); acc[2] = g[t - 1, 2] * (1 - gamma[t - 1]); g[t, 2] = sum(acc) * po[t, 2];
    }
    target += log(sum(g[nyear]));
  }
}
