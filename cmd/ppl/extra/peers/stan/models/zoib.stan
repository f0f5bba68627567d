// N = 400
// y ~ uniform(N; 0.02, 0.98); k ~ levels(N; 3); x ~ normal(N)
data { int N; vector[N] y; array[N] int k; vector[N] x; }
parameters { vector[2] a; vector[2] b; vector[2] c; real<lower=0> phi; }
model {
  a ~ normal(0, 2); b ~ normal(0, 2); c ~ normal(0, 2); phi ~ gamma(2, 0.1);
  for (i in 1:N) {
    real zo = inv_logit(a[1] + a[2] * x[i]);
    real one = inv_logit(b[1] + b[2] * x[i]);
    real mu = inv_logit(c[1] + c[2] * x[i]);
    if (k[i] == 1) target += log(zo) + log1m(one);
    else if (k[i] == 2) target += log(zo) + log(one);
    else target += log1m(zo) + beta_lpdf(y[i] | mu * phi, (1 - mu) * phi);
  }
}
