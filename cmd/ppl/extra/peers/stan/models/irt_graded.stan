// I = 10; J = 150; K = 5
// y ~ levels(J, I; K)
data { int I; int J; int K; array[J, I] int y; }
parameters { vector[J] theta; vector<lower=0>[I] a; array[I] ordered[K - 1] kappa; real mk; real<lower=0> sk; }
model {
  a ~ cauchy(0, 5); theta ~ normal(0, 1); mk ~ normal(0, 5); sk ~ cauchy(0, 5);
  for (i in 1:I) for (k in 1:(K - 1)) kappa[i, k] ~ normal(mk, sk);
  for (j in 1:J) for (i in 1:I) y[j, i] ~ ordered_logistic(theta[j] * a[i], kappa[i]);
}
