// M = 80; T = 7
// y ~ bernoulli(M, T; 0.3)
data { int M; int T; array[M, T] int y; }
parameters { vector<lower=0, upper=1>[T] gam; vector<lower=0, upper=1>[T - 1] phi; vector<lower=0, upper=1>[T] p; }
model {
  for (i in 1:M) {
    vector[3] a; vector[3] b;
    a[1] = 1 - gam[1]; a[2] = gam[1] * (y[i, 1] == 1 ? p[1] : 1 - p[1]); a[3] = 0;
    if (y[i, 1] == 1) a[1] = 0;
    for (t in 2:T) {
      b[1] = y[i, t] == 1 ? 0 : a[1] * (1 - gam[t]);
      b[2] = (a[1] * gam[t] + a[2] * phi[t - 1]) * (y[i, t] == 1 ? p[t] : 1 - p[t]);
      b[3] = y[i, t] == 1 ? 0 : a[2] * (1 - phi[t - 1]) + a[3];
      a = b;
    }
    target += log(sum(a));
  }
}
