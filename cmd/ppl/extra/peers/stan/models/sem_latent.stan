// N = 250
// y ~ normal(N, 6)
data { int N; matrix[N, 6] y; }
parameters { vector[N] f1; vector[N] e2; real g; vector[4] lam; vector[6] a; vector<lower=0>[6] s; real<lower=0> sf; real<lower=0> s2; }
model {
  vector[N] f2 = g * f1 + s2 * e2;
  f1 ~ normal(0, sf); e2 ~ normal(0, 1); s ~ normal(0, 1); sf ~ normal(0, 1); s2 ~ normal(0, 1); lam ~ normal(1, 1);
  y[, 1] ~ normal(a[1] + f1, s[1]); y[, 2] ~ normal(a[2] + lam[1] * f1, s[2]); y[, 3] ~ normal(a[3] + lam[2] * f1, s[3]);
  y[, 4] ~ normal(a[4] + f2, s[4]); y[, 5] ~ normal(a[5] + lam[3] * f2, s[5]); y[, 6] ~ normal(a[6] + lam[4] * f2, s[6]);
}
