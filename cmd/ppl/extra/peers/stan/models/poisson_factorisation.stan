// U = 60; I = 50; K = 5
// Y ~ poisson(U, I; 2)
data { int U; int I; int K; array[U, I] int Y; }
parameters { matrix<lower=0>[U, K] th; matrix<lower=0>[I, K] be; vector<lower=0>[U] xi; }
model {
  xi ~ gamma(2, 2);
  for (u in 1:U) th[u] ~ gamma(0.5, xi[u]);
  to_vector(be) ~ gamma(0.5, 1);
  for (u in 1:U) Y[u] ~ poisson(be * th[u]' + 1e-8);
}
