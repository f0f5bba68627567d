// I = 20; J = 200
// y ~ bernoulli(I, J; 0.5)
data { int I; int J; array[I, J] int y; }
parameters { vector[I] d; vector[J] theta; real<lower=0> s; }
model { theta ~ normal(0, s); s ~ exponential(1); d ~ normal(0, 2); for (i in 1:I) for (j in 1:J) y[i, j] ~ bernoulli_logit(theta[j] - d[i]); }
