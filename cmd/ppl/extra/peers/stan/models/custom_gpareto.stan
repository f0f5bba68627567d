// N = 300
// y ~ exponential(N)
functions {
  real gpareto_lpdf(vector y, real ymin, real k, real sigma) {
    int N = rows(y); real inv_k = inv(k);
    if (sigma <= 0) reject("sigma<=0; found sigma =", sigma);
    if (abs(k) > 1e-15) return -(1 + inv_k) * sum(log1p((y - ymin) * (k / sigma))) - N * log(sigma);
    else return -sum(y - ymin) / sigma - N * log(sigma);
  }
}
data { int N; vector<lower=0>[N] y; }
parameters { real<lower=0> sigma; real<lower=0> k; }
model { k ~ normal(0, 0.5); sigma ~ normal(0, 2); y ~ gpareto(0, k, sigma); }
