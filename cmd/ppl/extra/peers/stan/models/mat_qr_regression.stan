// N = 500; K = 10
// x ~ normal(N, K); y ~ poisson(N; 3)
data { int N; int K; matrix[N, K] x; array[N] int y; }
transformed data { matrix[N, K] Q = qr_thin_Q(x) * sqrt(N - 1); matrix[K, K] R = qr_thin_R(x) / sqrt(N - 1); matrix[K, K] Ri = inverse(R); }
parameters { real a; vector[K] theta; }
model { a ~ normal(0, 1); theta ~ normal(0, 1); y ~ poisson_log_glm(Q, a, theta); }
generated quantities { vector[K] beta = Ri * theta; }
