// N = 400; M = 3
// t ~ exponential(N); event ~ bernoulli(N; 0.6); x ~ normal(N, M)
data { int N; int M; vector[N] t; array[N] int event; matrix[N, M] x; }
parameters { vector[M] b; real a; real<lower=0> shape; }
model {
  b ~ normal(0, 1); a ~ normal(0, 2); shape ~ gamma(2, 1);
  for (i in 1:N) {
    real s = exp(-(a + x[i] * b) / shape);
    if (event[i] == 1) t[i] ~ weibull(shape, s);
    else target += weibull_lccdf(t[i] | shape, s);
  }
}
