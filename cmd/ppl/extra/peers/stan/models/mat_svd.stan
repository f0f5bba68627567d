// N = 12; K = 6
// Y ~ normal(N, K)
data { int N; int K; matrix[N, K] Y; }
parameters { matrix[N, K] X; real<lower=0> l; real<lower=0> s; }
model { vector[K] d = singular_values(X); l ~ exponential(1); s ~ normal(0, 1); target += -l * sum(d) + K * log(l); to_vector(Y) ~ normal(to_vector(X), s); }
