// N = 500; K = 3
// x ~ normal(N, K); z ~ normal(N, K); y ~ normal(N)
data { int N; int K; matrix[N, K] x; matrix[N, K] z; vector[N] y; }
parameters { vector[K] b; vector[K] g; }
model { b ~ normal(0, 3); g ~ normal(0, 1); y ~ normal(x * b, exp(z * g)); }
