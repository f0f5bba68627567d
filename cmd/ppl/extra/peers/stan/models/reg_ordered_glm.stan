// N = 800; K = 6
// x ~ normal(N, 6); y ~ levels(N; K)
data { int N; int K; matrix[N, 6] x; array[N] int<lower=1, upper=K> y; }
parameters { vector[6] b; ordered[K - 1] c; }
model { b ~ normal(0, 1); c ~ normal(0, 3); y ~ ordered_logistic(x * b, c); }
