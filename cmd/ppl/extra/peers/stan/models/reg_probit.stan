// N = 800; K = 5
// x ~ normal(N, K); y ~ bernoulli(N; 0.4)
data { int N; int K; matrix[N, K] x; array[N] int<lower=0, upper=1> y; }
parameters { vector[K] b; }
model { b ~ normal(0, 1); y ~ bernoulli(Phi(x * b)); }
