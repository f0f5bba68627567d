// I = 15; J = 200; N = 3000
// ii ~ levels(N; I); jj ~ levels(N; J); y ~ bernoulli(N; 0.6)
data { int I; int J; int N; array[N] int ii; array[N] int jj; array[N] int y; }
parameters { vector[J] theta; vector<lower=0>[I] a; vector[I] b; vector<lower=0, upper=0.5>[I] c; }
model {
  theta ~ normal(0, 1); a ~ lognormal(0, 0.5); b ~ normal(0, 1.5); c ~ beta(5, 23);
  for (n in 1:N) {
    real p = inv_logit(a[ii[n]] * (theta[jj[n]] - b[ii[n]]));
    y[n] ~ bernoulli(c[ii[n]] + (1 - c[ii[n]]) * p);
  }
}
