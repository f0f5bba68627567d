// k = 30
// h ~ counts(k; 5, 19); f ~ counts(k; 1, 12); s ~ counts(k; 20, 20); n ~ counts(k; 20, 20)
data { int k; array[k] int h; array[k] int f; array[k] int s; array[k] int n; }
parameters { vector[k] d; vector[k] c; real muc; real mud; real<lower=0> lambdac; real<lower=0> lambdad; }
transformed parameters {
  array[k] real<lower=0, upper=1> thetah; array[k] real<lower=0, upper=1> thetaf; real<lower=0> sc = inv_sqrt(lambdac); real<lower=0> sd_ = inv_sqrt(lambdad);
  for (i in 1:k) { thetah[i] = Phi(d[i] / 2 - c[i]); thetaf[i] = Phi(-d[i] / 2 - c[i]); }
}
model { muc ~ normal(0, inv_sqrt(.001)); mud ~ normal(0, inv_sqrt(.001)); lambdac ~ gamma(.001, .001); lambdad ~ gamma(.001, .001); c ~ normal(muc, sc); d ~ normal(mud, sd_); h ~ binomial(s, thetah); f ~ binomial(n, thetaf); }
