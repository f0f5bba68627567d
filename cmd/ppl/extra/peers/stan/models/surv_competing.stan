// N = 500
// t ~ exponential(N); d ~ counts(N; 0, 2); x ~ normal(N, 2)
data { int N; vector[N] t; array[N] int d; matrix[N, 2] x; }
parameters { vector<lower=0>[2] k; vector[2] a; matrix[2, 2] b; }
model {
  k ~ lognormal(0, 0.5); a ~ normal(0, 2); to_vector(b) ~ normal(0, 1);
  for (n in 1:N)
    for (c in 1:2) {
      real lam = exp(-(a[c] + x[n] * b[, c]) / k[c]);
      if (d[n] == c) target += weibull_lpdf(t[n] | k[c], lam);
      else target += weibull_lccdf(t[n] | k[c], lam);
    }
}
